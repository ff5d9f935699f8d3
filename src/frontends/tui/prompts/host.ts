import type { KeyLine } from "./key-line.ts";

/** The size has changed; or the terminal was somebody else's, and the cursor stands below what they wrote. */
export type Disturbance = "resized" | "resumed";

/**
 * The terminal as questions see it. Its owner reads standard input for the whole life of the process and puts every event
 * into `keys` while a dialog is open, best from the moment the command that asks was given. Between `clearLive` and
 * `repaint` the owner draws nothing.
 */
export type PromptHost = {
  readonly columns: number;
  readonly rows: number;
  readonly hasColor: boolean;
  /** False where only ASCII can be shown. */
  readonly isUnicode: boolean;
  readonly keys: KeyLine;
  /** Writes at once, where the cursor stands. */
  write(text: string): void;
  /** Takes the live part off the screen: what is written next belongs to the scrollback. */
  clearLive(): void;
  /** Draws the live part below what was written. */
  repaint(): void;
  /** Calls `listener` when what is on the screen must be drawn anew, until the function that it gives back is called. */
  onDisturbed?(listener: (why: Disturbance) => void): () => void;
};
