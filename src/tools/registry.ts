import type { NativeToolName, ToolSpec } from "./types.ts";

/** Loads one tool; the code of the others stays on disk. */
export async function loadTool(name: NativeToolName): Promise<ToolSpec> {
  switch (name) {
    case "exec":
      return (await import("./exec.ts")).exec;
    case "exec_stdin":
      return (await import("./exec-stdin.ts")).execStdin;
    case "shell":
      return (await import("./shell-command.ts")).shellCommand;
    case "task_output":
      return (await import("./task-output.ts")).taskOutput;
    case "task_stop":
      return (await import("./task-stop.ts")).taskStop;
    case "apply_patch":
      return (await import("./apply-patch.ts")).applyPatch;
    case "read":
      return (await import("./read.ts")).read;
    case "write":
      return (await import("./write.ts")).write;
    case "edit":
      return (await import("./edit.ts")).edit;
    case "list":
      return (await import("./list.ts")).list;
    case "grep":
      return (await import("./grep.ts")).grep;
    case "glob":
      return (await import("./glob.ts")).glob;
    case "plan":
      return (await import("./plan.ts")).plan;
    case "todo":
      return (await import("./todo.ts")).todo;
    case "todo_read":
      return (await import("./todo-read.ts")).todoRead;
    case "ask_user":
      return (await import("./ask-user.ts")).askUser;
    case "web_fetch":
      return (await import("./web-fetch.ts")).webFetch;
    case "agent":
      return (await import("./agent.ts")).agent;
    case "plan_enter":
      return (await import("./plan-mode.ts")).planEnter;
    case "plan_exit":
      return (await import("./plan-mode.ts")).planExit;
    case "terminal":
      return (await import("./terminal.ts")).terminal;
    case "shell_session":
      return (await import("./shell-session.ts")).shellSession;
    case "evidence":
      return (await import("./evidence.ts")).evidence;
    case "multi_edit":
      return (await import("./multi-edit.ts")).multiEdit;
    case "todo_change":
      return (await import("./todo-change.ts")).todoChange;
    case "file_search":
      return (await import("./file-search.ts")).fileSearch;
    case "git":
      return (await import("./git.ts")).git;
    case "skill":
      return (await import("./skill.ts")).skill;
    case "view_image":
      return (await import("./view-image.ts")).viewImage;
  }
}
