import type { MemoryKey } from "../types.ts";

/** A child agent, or a workflow of several, that works in the background. */
export type AgentWork = {
  id: string;
  description: string;
  state: "running" | "done" | "failed";
  /** Resolves when it has ended, however. */
  ended: Promise<void>;
  /** Where its report will be. */
  file?: string;
  /** Ends it before its time; its report says so. */
  stop?(): void;
  /** Its parent has been told how it ended. */
  isHeard?: boolean;
  /** What its parent has still to be told, in place of a file that holds the report; empty while there is nothing. */
  report?: string;
};

/** All that were started in the background, oldest first. */
export const agentWork: MemoryKey<AgentWork[]> = { name: "agentWork", init: () => [] };
