import { z } from "zod";
import { defineTool } from "../define.ts";
import { refused, textResult } from "../results.ts";
import type { AgentRunner, AgentState, RunContext, ToolResult } from "../types.ts";
import { agentCall, factsOf, NO_AGENTS } from "./facts.ts";
import { statusWords } from "./status.ts";
import { agentWork } from "./work.ts";

const WaitInput = z.looseObject({
  targets: z.array(z.string()).optional(),
  timeoutMs: z.number().optional(),
});
type WaitInput = z.infer<typeof WaitInput>;

const USUAL_MS = 30_000;
const SHORTEST_MS = 10_000;
const LONGEST_MS = 3_600_000;

/** Native "agent_wait": until one of the children has ended; the result holds those that have. */
export const agentWait = defineTool<WaitInput>({
  name: "agent_wait",
  schema: WaitInput,
  parallel: true,
  async prepare({ targets, timeoutMs }, { agents }) {
    if (!agents) return refused(NO_AGENTS);
    const all = agents.list();
    const ids = targets?.length ? targets : all.filter(isAtWork).map(({ id }) => id);
    if (ids.length === 0) return refused("targets is empty, and no agent is at work");
    const limitMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, timeoutMs ?? USUAL_MS));
    const known = all.filter(({ id }) => ids.includes(id));
    return agentCall({ action: "wait", agents: known.map(factsOf) }, (ctx) =>
      wait(agents, ids, limitMs, ctx),
    );
  },
});

async function wait(
  agents: AgentRunner,
  ids: readonly string[],
  limitMs: number,
  { memory, signal }: RunContext,
): Promise<ToolResult> {
  const states = await agents.wait(ids, limitMs, signal);
  const entries = ids.map((id, at): [string, AgentState | undefined] => [id, states[at]]);
  const over = entries.filter(([, state]) => !state || !isAtWork(state));
  for (const work of memory.get(agentWork))
    if (over.some(([id]) => id === work.id)) Object.assign(work, { isHeard: true, report: "" });
  const status = Object.fromEntries(over.map(([id, state]) => [id, statusWords(state)]));
  const text = JSON.stringify({ status, timed_out: over.length === 0 });
  const shown = states.flatMap((state) => (state ? [factsOf(state)] : []));
  return textResult(
    true,
    text,
    { case: over.length === 0 ? "timeout" : "ended" },
    { kind: "agent", action: "wait", agents: shown },
  );
}

function isAtWork({ status }: AgentState): boolean {
  return status === "running" || status === "pending";
}
