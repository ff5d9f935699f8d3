import type { Io } from "../../protocol/program.ts";
import type { Approvals } from "./approvals.ts";
import type { CommandPort } from "./commands/types.ts";
import type { Dialogs } from "./dialogs.ts";
import type { FileIndex } from "./file-index.ts";
import type { Message } from "./input/composer.ts";
import type { InputHistory } from "./input-history.ts";
import type { AppState, Step, Surroundings } from "./state.ts";
import type { Terminal } from "./terminal.ts";
import type { Theme } from "./view/theme.ts";

/** The application as its parts and the commands see it, where things can be drawn over. */
export type Port = CommandPort & {
  readonly io: Io;
  readonly state: AppState;
  readonly theme: Theme;
  readonly terminal: Terminal;
  readonly awaited: { readonly approvals: Approvals };
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
  /** Draws soon, or with everything that is live from its beginning. */
  redraw(isWhole?: boolean): void;
  /** Shows rows on the alternate screen until the user closes them. */
  page(content: PagerContent): Promise<void>;
  /** Colours for a light or a dark background. */
  setLight(isLight: boolean): void;
  /** Starts over on an empty screen. */
  clearScreen(): void;
};

/** Runs one turn after the other. */
export interface TurnRunner {
  start(message: Message): void;
  steer(message: Message): void;
  interrupt(): void;
  hold(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

/** What a pager shows: cells, each as its rows for a width. Where all have names, a wide terminal lists them. */
export type PagerContent = {
  title: string;
  cells: readonly { rows(width: number): string[]; text: string; name?: string }[];
  startsAtEnd: boolean;
};
