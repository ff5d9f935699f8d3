import type { NativeToolName, ToolSpec } from "./types.ts";

const LOADERS: Readonly<Record<NativeToolName, () => Promise<ToolSpec>>> = {
  exec: async () => (await import("./exec.ts")).exec,
  exec_stdin: async () => (await import("./exec-stdin.ts")).execStdin,
  shell: async () => (await import("./shell-command.ts")).shellCommand,
  task_output: async () => (await import("./task-output.ts")).taskOutput,
  task_stop: async () => (await import("./task-stop.ts")).taskStop,
  apply_patch: async () => (await import("./apply-patch.ts")).applyPatch,
  read: async () => (await import("./read.ts")).read,
  write: async () => (await import("./write.ts")).write,
  edit: async () => (await import("./edit.ts")).edit,
  list: async () => (await import("./list.ts")).list,
  grep: async () => (await import("./grep.ts")).grep,
  glob: async () => (await import("./glob.ts")).glob,
  plan: async () => (await import("./plan.ts")).plan,
  todo: async () => (await import("./todo.ts")).todo,
  todo_read: async () => (await import("./todo-read.ts")).todoRead,
  ask_user: async () => (await import("./ask-user.ts")).askUser,
  web_fetch: async () => (await import("./web-fetch.ts")).webFetch,
  agent: async () => (await import("./agent.ts")).agent,
  plan_enter: async () => (await import("./plan-mode.ts")).planEnter,
  plan_exit: async () => (await import("./plan-mode.ts")).planExit,
  terminal: async () => (await import("./terminal.ts")).terminal,
  shell_session: async () => (await import("./shell-session.ts")).shellSession,
  evidence: async () => (await import("./evidence.ts")).evidence,
  multi_edit: async () => (await import("./multi-edit.ts")).multiEdit,
  todo_change: async () => (await import("./todo-change.ts")).todoChange,
  file_search: async () => (await import("./file-search.ts")).fileSearch,
  git: async () => (await import("./git.ts")).git,
  skill: async () => (await import("./skill.ts")).skill,
  agents_list: async () => (await import("./agents-list.ts")).agentsList,
  agent_message: async () => (await import("./agent-message.ts")).agentMessage,
  session_context: async () => (await import("./session-context.ts")).sessionContext,
  report_findings: async () => (await import("./report-findings.ts")).reportFindings,
  tool_search: async () => (await import("./tool-search.ts")).toolSearch,
  schedule_wakeup: async () => (await import("./schedule-wakeup.ts")).scheduleWakeup,
  view_image: async () => (await import("./view-image.ts")).viewImage,
};

/** Loads one tool; the code of the others stays on disk. */
export function loadTool(name: NativeToolName): Promise<ToolSpec> {
  return LOADERS[name]();
}
