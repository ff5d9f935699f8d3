import { z } from "zod";
import { EFFORTS } from "../../protocol/settings.ts";
import { defineTool } from "../define.ts";
import { refused, textResult } from "../results.ts";
import type { AgentRunner, RunContext, ToolResult } from "../types.ts";
import { agentCall, factsOf, NO_AGENTS } from "./facts.ts";
import { statusWords } from "./status.ts";
import { TaskFields, taskText } from "./task.ts";
import { agentWork } from "./work.ts";

const SpawnInput = z.looseObject({
  ...TaskFields,
  kind: z.string().optional(),
  fork: z.boolean().optional(),
  model: z.string().optional(),
  effort: z.enum(EFFORTS).optional(),
});
type SpawnInput = z.infer<typeof SpawnInput>;

/** Native "agent_spawn": starts a child agent that works beside its parent, and answers at once. */
export const agentSpawn = defineTool<SpawnInput>({
  name: "agent_spawn",
  schema: SpawnInput,
  parallel: true,
  async prepare(input, { agents }) {
    if (!agents) return refused(NO_AGENTS);
    const prompt = taskText(input);
    if (prompt === "") return refused("message is empty: wanted the task of the agent");
    return agentCall({ action: "spawn", agents: [], prompt }, (ctx) => spawn(agents, input, prompt, ctx));
  },
});

async function spawn(
  agents: AgentRunner,
  { kind, fork, model, effort }: SpawnInput,
  prompt: string,
  { memory }: RunContext,
): Promise<ToolResult> {
  const started = await agents.spawn({ prompt, kind, fork, model, effort });
  const shown = { kind: "agent", action: "spawn", prompt } as const;
  if ("problem" in started) return textResult(false, started.problem, undefined, { ...shown, agents: [] });
  const { id, name, description } = started;
  noteEnd(agents, id, description, memory);
  const text = JSON.stringify({ agent_id: id, nickname: name });
  return textResult(
    true,
    text,
    { case: "started", agentId: id, name },
    { ...shown, agents: [factsOf(started)] },
  );
}

/** When it ends before its parent has asked, the parent hears of it before it stops. */
export function noteEnd(
  agents: AgentRunner,
  id: string,
  description: string,
  memory: RunContext["memory"],
): void {
  const all = memory.get(agentWork);
  const known = all.findIndex((work) => work.id === id);
  if (known >= 0) all.splice(known, 1);
  const ended = agents.ended(id).then(() => {
    const state = agents.list().find((one) => one.id === id);
    work.state = state?.status === "done" ? "done" : "failed";
    if (!work.isHeard && state?.status !== "closed")
      work.report = JSON.stringify({ agent_id: id, status: statusWords(state) });
  });
  const work = {
    id,
    description,
    state: "running" as "running" | "done" | "failed",
    ended,
    isHeard: false,
    report: "",
  };
  all.push(work);
}
