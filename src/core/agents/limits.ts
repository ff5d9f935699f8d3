import { featureEnabled } from "../../config/features.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { AgentLimits } from "./types.ts";

const USUAL_THREADS = 6;
const USUAL_DEPTH = 1;
/** Tokens. What the tools cost is little beside this window; smaller ones have them when the user says so. */
const WIDE_WINDOW = 64_000;

type Values = LoadedConfig["values"];

/** How deep agents may start agents; 0: there are none. */
export function agentDepth({ agents, features }: Values): number {
  if (agents?.enabled === false || !featureEnabled(features, "multi_agent")) return 0;
  return agents?.max_depth ?? USUAL_DEPTH;
}

/** Is the model told of the tools for agents, where the harness leaves that open? */
export function offersAgents(values: Values, contextWindow: number): boolean {
  if (agentDepth(values) === 0) return false;
  const isWanted = values.features["multi_agent"] !== undefined || values.agents?.enabled === true;
  return isWanted || contextWindow >= WIDE_WINDOW;
}

/** `isSerial`: the server has room for one conversation, unless the user has said how many there may be. */
export function agentLimits(values: Values, isSerial: boolean): AgentLimits {
  const wanted = wantedThreads(values);
  const most = wanted ?? USUAL_THREADS;
  return { running: wanted ?? (isSerial ? 1 : most), open: most };
}

export function wantedThreads({ agents }: Values): number | undefined {
  return agents?.max_concurrent_threads_per_session ?? agents?.max_threads;
}
