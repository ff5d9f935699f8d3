import { z } from "zod";
import { agentWork } from "./agents/work.ts";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import { processes } from "./shell/processes.ts";
import type { ToolMemory, ToolResult } from "./types.ts";

const TaskListInput = z.looseObject({
  /** Only what still runs; on unless set to false. */
  activeOnly: z.boolean().optional(),
  limit: z.number().int().positive().optional(),
});
type TaskListInput = z.infer<typeof TaskListInput>;

/** Native "task_list": commands and agents in the background, the newest first. */
export const taskList = defineTool<TaskListInput>({
  name: "task_list",
  schema: TaskListInput,
  parallel: true,
  prepare: async (input) => readingCall([], async ({ memory }) => list(input, memory)),
});

type Row = { id: string; kind: string; status: string; what: string; isActive: boolean };

function list({ activeOnly = true, limit = 20 }: TaskListInput, memory: ToolMemory): ToolResult {
  const rows = [...commands(memory), ...agents(memory)];
  const wanted = activeOnly ? rows.filter(({ isActive }) => isActive) : rows;
  const blocks = wanted
    .slice(0, limit)
    .map(
      ({ id, kind, status, what }) =>
        `task_id: ${id}\nkind: ${kind}\nstatus: ${status}\ndescription: ${what}`,
    );
  const title = `${activeOnly ? "active_tasks" : "tasks"}: ${wanted.length}`;
  return textResult(true, [title, ...blocks].join("\n\n"), { case: "list", total: wanted.length });
}

function commands(memory: ToolMemory): Row[] {
  const all = memory.get(processes).all().toReversed();
  return all.map(({ id, command }) => ({
    id: String(id),
    kind: "command",
    status: command.exitCode === undefined ? "running" : `ended with exit code ${command.exitCode}`,
    what: command.facts.command,
    isActive: command.exitCode === undefined,
  }));
}

function agents(memory: ToolMemory): Row[] {
  return memory
    .get(agentWork)
    .toReversed()
    .map(({ id, state, description }) => ({
      id,
      kind: "agent",
      status: state,
      what: description,
      isActive: state === "running",
    }));
}
