import type { LoadedConfig } from "../../../config/load.ts";
import type { Override } from "../../../config/overrides.ts";
import type { ThreadChoice } from "../../../core/thread.ts";
import type { Conversation } from "../conversation.ts";
import type { Message } from "../input/composer.ts";
import type { Progress } from "../progress.ts";
import type { Asker } from "../prompts/asker.ts";

/** The conversation in lines, as what is typed sees it. */
export type PlainPort = {
  readonly asker: Asker;
  readonly conversation: Conversation;
  readonly config: LoadedConfig | undefined;
  readonly progress: Progress;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** A turn runs. */
  readonly isWorking: boolean;
  say(text: string): void;
  /** Starts a turn. */
  send(message: Message): void;
  /** Says something to the turn that runs. */
  steer(message: Message): void;
  /** Runs work that Ctrl+C ends. */
  hold(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Reads the settings again, with more of them for this run. */
  reconfigure(overrides: readonly Override[], env?: PlainPort["env"]): Promise<LoadedConfig>;
  /** Goes on in another session. Throws AppError when it can't be opened; none is open then. */
  open(thread: ThreadChoice): Promise<void>;
  quit(): void;
};
