import type { LoadedConfig } from "../../../config/load.ts";
import type { Override } from "../../../config/overrides.ts";
import type { ThreadChoice } from "../../../core/session/thread.ts";
import type { Asker as QuestionAsker } from "../../../protocol/questions.ts";
import type { Conversation } from "../conversation.ts";
import type { Message } from "../input/composer.ts";
import type { CommandFacts } from "../popup/types.ts";
import type { Port } from "../port.ts";
import type { Progress } from "../progress.ts";
import type { Asker } from "../prompts/asker.ts";
import type { Transcript } from "../transcript.ts";
import type { Notice } from "../view/notices.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What a command has around it, whether the conversation is drawn or written in lines. */
export type CommandPort = {
  readonly cwd: string;
  readonly env: Env;
  readonly signal: AbortSignal;
  /** Undefined until the settings were read. */
  readonly config: LoadedConfig | undefined;
  readonly conversation: Conversation;
  readonly progress: Progress;
  readonly transcript: Transcript;
  /** A sentence or some lines for the user. */
  notice(notice: Notice): void;
  /** One row until the next key; in lines, a line. */
  hint(text: string): void;
  /** Asks, one question after the other. */
  ask<T>(work: (asker: Asker) => Promise<T>): Promise<T>;
  /** Who puts questions that the user has not called for, once nothing else is in the way. */
  readonly questions: QuestionAsker;
  /** Starts a turn. */
  send(message: Message): void;
  /** Runs work that the user can stop, as if it were a turn. */
  hold(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Goes on in another session, with settings changed for this run. */
  reopen(thread: ThreadChoice, overrides?: readonly Override[], env?: Env): Promise<void>;
  /** Reads the settings again, with changes to them and to the environment for this run. */
  reconfigure(overrides: readonly Override[], env?: Env): Promise<LoadedConfig>;
  /** Puts text into the clipboard; false when there is no way to it. */
  copy(text: string): boolean;
  /** The side conversation is the one that is spoken with. */
  readonly isAside: boolean;
  /** To the side conversation and back. */
  aside(prompt: string): Promise<void>;
  quit(): void;
};

/** `draw`: how it is done where things can be drawn over; `run`: in lines, and in both without a `draw`. */
export type Command = CommandFacts & {
  /** Asks something: keys that follow belong to the question. */
  asks?: boolean;
  /** Not in a side conversation: it would take the place of the one that is kept. */
  isForMain?: boolean;
} & (
    | { run(port: CommandPort, argument: string): void | Promise<void>; draw?: undefined }
    | {
        draw(port: Port, argument: string): void | Promise<void>;
        run?(port: CommandPort, argument: string): void | Promise<void>;
      }
  );
