import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { AppError } from "../../util/errors.ts";
import { type AgentWork, agentWork } from "../agents/work.ts";
import { defineTool } from "../define.ts";
import { planningProblem } from "../plan-state.ts";
import { refused, textResult } from "../results.ts";
import { outputFile } from "../shell/spill.ts";
import { taskEnds } from "../shell/task-ends.ts";
import type { AgentRunner, MemoryKey, RunContext, ToolResult } from "../types.ts";
import { type Journal, ScriptAgents } from "./agents.ts";
import { runScript, type ScriptEnd } from "./process.ts";
import { readSource, sourcePaths, type WorkflowSource } from "./source.ts";

const WorkflowToolInput = z.looseObject({
  script: z.string().optional(),
  scriptPath: z.string().optional(),
  name: z.string().optional(),
  args: z.unknown().optional(),
  /** The id of an earlier run of this session, whose answers are taken as far as the script asks the same. */
  resume: z.string().optional(),
});
type WorkflowToolInput = z.infer<typeof WorkflowToolInput>;

const MOST_SILENCE_MS = 10 * 60_000;

/** What the runs of a session have answered, by their ids. */
const JOURNALS: MemoryKey<Map<string, Journal>> = { name: "workflowJournals", init: () => new Map() };

/**
 * Native "workflow": a script that starts child agents and works with their answers, in the background. The report goes
 * to a file, and the model is told when it is there.
 */
export const workflow = defineTool<WorkflowToolInput>({
  name: "workflow",
  schema: WorkflowToolInput,
  parallel: true,
  async prepare(input, ctx) {
    const { agents } = ctx;
    if (!agents) return refused("an agent can't start further agents");
    const source = await readSource(input, ctx.cwd);
    if ("problem" in source) return refused(source.problem);
    const argv = ["workflow", source.name, ...(source.description === "" ? [] : [source.description])];
    return {
      ready: {
        access: { argv, reads: sourcePaths(input, ctx.cwd) },
        subject: { kind: "command", argv, cwd: ctx.cwd },
        shown: { kind: "none" },
        run: (run) => start({ source, input, agents }, run),
      },
    };
  },
});

type Start = { source: WorkflowSource; input: WorkflowToolInput; agents: AgentRunner };

async function start({ source, input, agents: runner }: Start, ctx: RunContext): Promise<ToolResult> {
  const { memory, callId: id, signal } = ctx;
  // The script itself is confined like a command; without a sandbox nothing would hold it.
  if (ctx.policy.mode !== "restricted") {
    const planning = planningProblem(ctx);
    if (planning) return textResult(false, planning);
  }
  const journals = memory.get(JOURNALS);
  const earlier = input.resume === undefined ? [] : journals.get(input.resume);
  if (!earlier) return textResult(false, `this session has no run ${input.resume}`, { case: "unknown" });
  const runId = `wf_${crypto.randomUUID().slice(0, 8)}`;
  const file = await outputFile(ctx);
  const scriptFile = join(dirname(file), `${runId}.js`);
  await writeFile(scriptFile, source.script, { mode: 0o600 });
  const stop = new AbortController();
  const own = { ...ctx, signal: AbortSignal.any([signal, stop.signal]) };
  const agents = new ScriptAgents({ runner, runId, earlier, signal: own.signal });
  journals.set(runId, agents.journal);
  const notes: string[] = [];
  const handlers = {
    agent: (request: Parameters<ScriptAgents["answer"]>[0]) => agents.answer(request),
    note: (text: string) => void notes.push(text),
    patienceMs: MOST_SILENCE_MS,
  };
  const description = `workflow ${source.name}`;
  const ended = runScript({ script: source.script, args: input.args }, handlers, own)
    .catch((cause: unknown): ScriptEnd => ({ ok: false, problem: reasonOf(cause) }))
    .then(async (end) => {
      work.state = end.ok ? "done" : "failed";
      // Whoever has interrupted the turn does not wait for a report.
      if (signal.aborted) return;
      await writeFile(file, report(end, notes, agents.started), { mode: 0o600 });
      memory.get(taskEnds).push({ taskId: id, file, exitCode: end.ok ? 0 : 1, command: description });
    });
  const work: AgentWork = { id, description, state: "running", ended, file, stop: () => stop.abort() };
  memory.get(agentWork).push(work);
  const text = `The workflow runs in the background as task ${id}; its report will be in ${file}. Run id: ${runId}; script: ${scriptFile}`;
  return textResult(true, text, { case: "background", taskId: id, file, runId, scriptFile });
}

function report(end: ScriptEnd, notes: readonly string[], started: number): string {
  const result = end.ok
    ? typeof end.value === "string"
      ? end.value
      : JSON.stringify(end.value, null, 2)
    : `the workflow failed: ${end.problem}`;
  return [
    ...notes,
    ...(notes.length > 0 ? [""] : []),
    result,
    "",
    `(${started} agents were started)`,
    "",
  ].join("\n");
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AppError) return cause.hint ? `${cause.message} (${cause.hint})` : cause.message;
  return cause instanceof Error ? cause.message : String(cause);
}
