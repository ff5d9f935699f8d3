import type { MemoryKey } from "../types.ts";

/** A child agent that works in the background. */
export type AgentWork = {
  id: string;
  description: string;
  state: "running" | "done" | "failed";
  /** Resolves when it has ended, however. */
  ended: Promise<void>;
};

/** All that were started in the background, oldest first. */
export const agentWork: MemoryKey<AgentWork[]> = { name: "agentWork", init: () => [] };
