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
};

/** All that were started in the background, oldest first. */
export const agentWork: MemoryKey<AgentWork[]> = { name: "agentWork", init: () => [] };
