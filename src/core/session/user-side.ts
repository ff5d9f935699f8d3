import type { LoadedConfig } from "../../config/load.ts";
import { textOf } from "../../protocol/items.ts";
import { ownCommandId } from "../../protocol/own-command.ts";
import type { Effort } from "../../protocol/settings.ts";
import { planMode } from "../../tools/plan-state.ts";
import { shellArgv, userShell } from "../../tools/shell/detect.ts";
import { launch } from "../../tools/shell/launch.ts";
import { readable } from "../../tools/shell/model-text.ts";
import { processes } from "../../tools/shell/processes.ts";
import type { ToolMemory } from "../../tools/types.ts";
import { uuidV7 } from "../../util/ids.ts";
import { truncateMiddle } from "../../util/truncate.ts";
import { permissionsText } from "../prompt-context/permissions-text.ts";
import type { SessionSettings } from "../turn/settings.ts";
import { ShownItem } from "../turn/shown-item.ts";
import { postureOf } from "./posture.ts";
import type { Session } from "./session.ts";
import type { ToolSide } from "./tool-side.ts";

export type BackgroundCommand = { id: number; command: string; cwd: string; startedAt: number };

/** What a person does in a session beside talking to the model. */
export type UserSide = {
  /** Runs a command of the user's own, without a sandbox. It is shown, and the model reads it with the next message. */
  run(command: string, signal: AbortSignal): Promise<void>;
  /** Commands that go on although the call that started them is over. `startedAt` in ms since the epoch. */
  background(): BackgroundCommand[];
  /** False when there is no such command. */
  stop(id: number): Promise<boolean>;
  /** From the next call on, what `config` allows counts, and the model is told. */
  setPermissions(config: LoadedConfig): void;
  /** The model only plans: it looks around and changes nothing. */
  readonly isPlanning: boolean;
  /** From the next call on; the model is told with the next request. */
  setPlanning(isOn: boolean): void;
  /** From the next request on; undefined leaves it to the model. */
  setEffort(effort: Effort | undefined): void;
};

export type UserSideParts = {
  session: Session;
  settings: SessionSettings;
  tools: ToolSide;
  memory: ToolMemory;
  env: Readonly<Record<string, string | undefined>>;
};

export function userSide(parts: UserSideParts): UserSide {
  const { session, settings, memory, env } = parts;
  return {
    run: (command, signal) => run(parts, command, signal),
    background: () => memory.get(processes).running(),
    stop: (id) => memory.get(processes).stop(id),
    setPermissions(config) {
      const tmpdir = env["TMPDIR"];
      const posture = postureOf(config, {
        cwd: settings.cwd,
        isUnattended: false,
        ...(tmpdir === undefined ? {} : { tmpdir }),
      });
      Object.assign(settings, posture);
      const { sandboxMode, sandbox, approvals } = posture;
      const told = permissionsText(sandboxMode, sandbox, approvals);
      if (told.type === "message") session.tell(told.role, textOf(told.content));
    },
    get isPlanning() {
      return memory.get(planMode).isOn;
    },
    setPlanning(isOn) {
      Object.assign(memory.get(planMode), { isOn, isByUser: isOn });
    },
    setEffort(effort) {
      settings.effort = effort;
    },
  };
}

async function run(
  { session, settings, tools, memory, env }: UserSideParts,
  command: string,
  signal: AbortSignal,
): Promise<void> {
  const callId = ownCommandId(uuidV7());
  const call = {
    type: "tool_call",
    callId,
    name: "user_shell",
    input: { kind: "text", raw: command },
  } as const;
  const item = new ShownItem(callId, callId, (event) => session.show(event));
  const argv = shellArgv(userShell(env), command, false);
  const context = tools.context(call);
  const ctx = { ...context, signal, policy: { mode: "off" }, sandbox: tools.sandbox, item } as const;
  item.open({ kind: "command", command, cwd: settings.cwd, output: "", durationMs: 0 });
  const live = await launch({ argv, cwd: settings.cwd, tty: false }, ctx);
  if ("problem" in live) {
    const output = live.problem;
    item.close(
      { kind: "command", command, cwd: settings.cwd, output, durationMs: 0, exitCode: -1 },
      "failed",
    );
    session.tell("user", report(command, -1, output));
    return;
  }
  const kill = () => void live.kill();
  signal.addEventListener("abort", kill, { once: true });
  await live.ended;
  signal.removeEventListener("abort", kill);
  const detail = { ...live.detail(), command };
  item.close(detail, detail.exitCode === 0 ? "completed" : "failed");
  const output = truncateMiddle(readable(detail.output), context.outputLimit);
  session.tell("user", report(command, detail.exitCode ?? -1, output));
  memory.get(processes).forget(live.processId ?? -1);
}

function report(command: string, exitCode: number, output: string): string {
  return `<user_shell_command>\nThe user ran this command themselves:\n$ ${command}\nexit code ${exitCode}\n${output}\n</user_shell_command>`;
}
