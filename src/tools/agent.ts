import { writeFile } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import { outputFile } from "./shell/spill.ts";
import { taskEnds } from "./shell/task-ends.ts";
import type { AgentOutcome, AgentRunner, AgentTask, RunContext, ToolResult } from "./types.ts";

const AgentInput = z.looseObject({
  prompt: z.string(),
  kind: z.string().optional(),
  description: z.string().optional(),
  /** Answer at once; the child's report goes into a file when it is done. */
  background: z.boolean().optional(),
});
type AgentInput = z.infer<typeof AgentInput>;

/** Native "agent": a child agent works on a task; its last message is the result. Several run side by side. */
export const agent = defineTool<AgentInput>({
  name: "agent",
  schema: AgentInput,
  parallel: true,
  prepare: async (input) => readingCall([], (run) => runAgent(input, run)),
});

async function runAgent(input: AgentInput, ctx: RunContext): Promise<ToolResult> {
  const { agents } = ctx;
  if (!agents) return textResult(false, "an agent can't start further agents", { case: "unavailable" });
  if (input.background) return inBackground(agents, input, ctx);
  const outcome = await agents.run(taskOf(input, ctx), ctx.signal);
  const { ok, text, ...numbers } = outcome;
  return textResult(ok, text, { case: ok ? "done" : "failed", agentId: ctx.callId, ...numbers });
}

function taskOf({ prompt, kind, description }: AgentInput, { callId }: RunContext): AgentTask {
  return { id: callId, prompt, kind, description };
}

async function inBackground(agents: AgentRunner, input: AgentInput, ctx: RunContext): Promise<ToolResult> {
  const file = await outputFile(ctx);
  const ends = ctx.memory.get(taskEnds);
  const report = async ({ ok, text }: AgentOutcome) => {
    await writeFile(file, text, { mode: 0o600 });
    ends.push({ taskId: ctx.callId, file, exitCode: ok ? 0 : 1, command: input.description ?? "agent" });
  };
  // The turn that is interrupted ends its agents too; then there is nothing to report.
  void agents
    .run(taskOf(input, ctx), ctx.signal)
    .then(report)
    .catch(() => {});
  const text = `The agent works in the background; its report will be in ${file}`;
  return textResult(true, text, { case: "background", agentId: ctx.callId, file });
}
