import { expect, test } from "bun:test";
import { loadTool } from "../../src/tools/registry.ts";
import type { NativeToolName } from "../../src/tools/types.ts";

/** A record, so that a new name is a type error here. */
const NAMES: Readonly<Record<NativeToolName, true>> = {
  exec: true,
  exec_stdin: true,
  shell: true,
  apply_patch: true,
  read: true,
  write: true,
  edit: true,
  list: true,
  grep: true,
  glob: true,
  plan: true,
  view_image: true,
  task_output: true,
  task_stop: true,
  todo: true,
  todo_read: true,
  ask_user: true,
  web_fetch: true,
  agent: true,
  plan_enter: true,
  plan_exit: true,
  terminal: true,
  shell_session: true,
  evidence: true,
  multi_edit: true,
  todo_change: true,
  file_search: true,
  git: true,
  skill: true,
  agents_list: true,
  agent_message: true,
  session_context: true,
  report_findings: true,
  tool_search: true,
  schedule_wakeup: true,
  task_list: true,
  wait_for: true,
  agents: true,
  goal_create: true,
  goal_read: true,
  goal_budget: true,
  goal_update: true,
  cron_create: true,
  cron_delete: true,
  cron_list: true,
  read_media: true,
  notebook_edit: true,
  web_search: true,
  workflow: true,
  task_input: true,
  validate_data: true,
};

for (const name of Object.keys(NAMES))
  test(`the tool ${name} is loaded by its name`, async () => {
    expect((await loadTool(name as NativeToolName)).name as string).toBe(name);
  });
