import type { LoadedConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import type { ThreadChoice } from "../../core/thread.ts";
import type { Io } from "../../protocol/program.ts";
import type { Approvals } from "./approvals.ts";
import type { Conversation } from "./conversation.ts";
import type { Dialogs } from "./dialogs.ts";
import type { FileIndex } from "./file-index.ts";
import type { Message } from "./input/composer.ts";
import type { InputHistory } from "./input-history.ts";
import type { Progress } from "./progress.ts";
import type { AppState, Step, Surroundings } from "./state.ts";
import type { Terminal } from "./terminal.ts";
import type { Transcript } from "./transcript.ts";
import type { Notice } from "./view/notices.ts";
import type { Theme } from "./view/theme.ts";

/** The application as its parts and the commands see it. */
export type Port = {
  readonly io: Io;
  readonly cwd: string;
  readonly state: AppState;
  /** Undefined until the settings were read. */
  readonly config: LoadedConfig | undefined;
  readonly theme: Theme;
  readonly terminal: Terminal;
  readonly transcript: Transcript;
  readonly progress: Progress;
  readonly conversation: Conversation;
  readonly approvals: Approvals;
  readonly turns: TurnRunner;
  readonly dialogs: Dialogs;
  readonly inputHistory: InputHistory;
  readonly surroundings: Surroundings;
  /** The files of the working folder, found in the background. */
  files(): Promise<FileIndex>;
  /** Changes the state and draws soon. */
  change(change: Partial<AppState>): void;
  /** Takes a step's state and does its effects. */
  apply(step: Step): void;
  /** A sentence among the cells. */
  notice(notice: Notice): void;
  /** Draws soon, or with everything that is live from its beginning. */
  redraw(isWhole?: boolean): void;
  /** Goes on in another session, with settings changed for this run. */
  reopen(thread: ThreadChoice, overrides?: readonly Override[], env?: Io["env"]): Promise<void>;
  /** Reads the settings again, with changes to them and to the environment for this run. */
  reconfigure(overrides: readonly Override[], env?: Io["env"]): Promise<LoadedConfig>;
  /** Shows rows on the alternate screen until the user closes them. */
  page(content: PagerContent): Promise<void>;
  /** Colours for a light or a dark background. */
  setLight(isLight: boolean): void;
  /** Starts over on an empty screen. */
  clearScreen(): void;
  quit(): void;
};

/** Runs one turn after the other. */
export interface TurnRunner {
  start(message: Message): void;
  steer(message: Message): void;
  interrupt(): void;
  hold(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

/** What a pager shows: cells, each as its rows for a width. */
export type PagerContent = {
  title: string;
  cells: readonly { rows(width: number): string[]; text: string }[];
  startsAtEnd: boolean;
};
