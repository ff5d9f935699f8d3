import type { Theme } from "./theme.ts";

export type CellOptions = {
  width: number;
  theme: Theme;
  isRunning: boolean;
  /** Nothing is folded: the transcript. */
  isExpanded: boolean;
  /** The name of the child agent that does it. */
  agent?: string;
};
