import type { AgentRunner, AgentState } from "../../src/tools/types.ts";

/** Child agents that are not there, for tests of what makes use of some. */
export const NO_CHILDREN: AgentRunner = {
  run: async () => ({ ok: true, text: "", toolCalls: 0, tokens: 0, durationMs: 0 }),
  list: () => [],
  send: async () => ({ kind: "unknown" }),
  spawn: async () => ({ problem: "none can be started" }),
  tell: async () => undefined,
  wait: async (ids) => ids.map(() => undefined),
  close: async () => undefined,
  resume: async () => ({ problem: "there is none" }),
  ended: async () => {},
};

export function agentState(id: string, status: AgentState["status"] = "done", message?: string): AgentState {
  const said = message === undefined ? {} : { message };
  return {
    id,
    sessionId: `session-${id}`,
    name: "Alder",
    kind: "Explore",
    description: `task of ${id}`,
    status,
    ...said,
  };
}
