import { writeFile } from "node:fs/promises";
import { z } from "zod";
import { agentCall, factsOf } from "./agents/facts.ts";
import { type AgentWork, agentWork } from "./agents/work.ts";
import { defineTool } from "./define.ts";
import { refused, textResult } from "./results.ts";
import { outputFile } from "./shell/spill.ts";
import { taskEnds } from "./shell/task-ends.ts";
import type { AgentOutcome, AgentRunner, AgentTask, RunContext, ToolResult } from "./types.ts";

const AgentInput = z.looseObject({
  prompt: z.string(),
  kind: z.string().optional(),
  description: z.string().optional(),
  /** What it is called from now on, in place of the call's id. */
  name: z.string().optional(),
  /** Answer at once; the child's report goes into a file when it is done. */
  background: z.boolean().optional(),
  /** The id of an agent that has ended: it goes on with the prompt. */
  resume: z.string().optional(),
});
type AgentInput = z.infer<typeof AgentInput>;

/** Native "agent": a child agent works on a task; its last message is the result. Several run side by side. */
export const agent = defineTool<AgentInput>({
  name: "agent",
  schema: AgentInput,
  parallel: true,
  async prepare(input, { agents }) {
    if (!agents) return refused("an agent can't start further agents");
    const { prompt } = input;
    const shown = { action: input.resume ? "send" : "spawn", prompt } as const;
    return agentCall({ ...shown, agents: [] }, async (ctx) => {
      const id = input.resume ?? idOf(input, ctx);
      const result = await runAgent(agents, input, ctx);
      const about = agents.list().filter((one) => one.id === id);
      return { ...result, detail: { kind: "agent", ...shown, agents: about.map(factsOf) } };
    });
  },
});

async function runAgent(agents: AgentRunner, input: AgentInput, ctx: RunContext): Promise<ToolResult> {
  if (input.background) return inBackground(agents, input, ctx);
  const agentId = input.resume ?? idOf(input, ctx);
  const outcome = await work(agents, input, ctx);
  const { ok, text, ...numbers } = outcome;
  return textResult(ok, text, { case: ok ? "done" : "failed", agentId, ...numbers });
}

async function work(agents: AgentRunner, input: AgentInput, ctx: RunContext): Promise<AgentOutcome> {
  if (!input.resume) return agents.run(taskOf(input, ctx), ctx.signal);
  const reply = await agents.send(input.resume, input.prompt, ctx.signal);
  if (reply.kind === "answered") return reply;
  const text =
    reply.kind === "delivered"
      ? `the agent ${input.resume} is still at work; it reads this with its next step`
      : `there is no agent ${input.resume}`;
  return { ok: reply.kind === "delivered", text, toolCalls: 0, tokens: 0, durationMs: 0 };
}

function taskOf(input: AgentInput, ctx: RunContext): AgentTask {
  const { prompt, kind, description } = input;
  return { id: idOf(input, ctx), prompt, kind, description };
}

/** A name that another agent has already is not given again. */
function idOf({ name }: AgentInput, { agents, callId }: RunContext): string {
  const isFree = name !== undefined && name !== "" && !agents?.list().some(({ id }) => id === name);
  return isFree ? name : callId;
}

async function inBackground(agents: AgentRunner, input: AgentInput, ctx: RunContext): Promise<ToolResult> {
  const file = await outputFile(ctx);
  const { memory } = ctx;
  const id = input.resume ?? idOf(input, ctx);
  const stop = new AbortController();
  const signal = AbortSignal.any([ctx.signal, stop.signal]);
  const description = input.description ?? "agent";
  const report = async ({ ok, text }: AgentOutcome) => {
    await writeFile(file, text, { mode: 0o600 });
    own.state = ok ? "done" : "failed";
    memory.get(taskEnds).push({ taskId: id, file, exitCode: ok ? 0 : 1, command: description });
  };
  // The turn that is interrupted ends its agents too; then there is nothing to report.
  const ended = work(agents, input, { ...ctx, signal })
    .then(report)
    .catch(() => {
      own.state = "failed";
    });
  const own: AgentWork = { id, description, state: "running", ended, file, stop: () => stop.abort() };
  memory.get(agentWork).push(own);
  const text = `The agent works in the background; its report will be in ${file}`;
  return textResult(true, text, { case: "background", agentId: id, file });
}
