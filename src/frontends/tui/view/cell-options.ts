import type { Theme } from "./theme.ts";

export type CellOptions = {
  width: number;
  theme: Theme;
  isRunning: boolean;
  /** How long it ran, in ms, where the item itself does not say. */
  tookMs?: number;
  /** Nothing is folded: the transcript. */
  isExpanded: boolean;
  /** The name of the child agent that does it. */
  agent?: string;
};
