import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AvailableCommand } from "@agentclientprotocol/sdk/unstable";
import type { OpenedSession } from "../../core/runtime.ts";
import { INIT_PROMPT, reviewRequest } from "../../core/tasks/task-prompts.ts";
import type { Part } from "../../protocol/items.ts";
import { shownCommand } from "../../util/shown-command.ts";
import { fenced } from "./texts.ts";

export type CommandContext = {
  opened: OpenedSession;
  cwd: string;
  /** A turn runs. */
  isBusy: boolean;
  signal: AbortSignal;
};

/** A command answers with words of ours, or with words for the model. */
export type CommandResult = { say: string } | { ask: string | Part[] };

type Command = {
  name: string;
  about: string;
  hint?: string;
  run(context: CommandContext, argument: string): CommandResult | Promise<CommandResult>;
};

const COMMANDS: readonly Command[] = [
  {
    name: "init",
    about: "let the model write AGENTS.md for this project",
    run: ({ cwd }) =>
      existsSync(join(cwd, "AGENTS.md"))
        ? { say: "AGENTS.md exists already, so nothing was changed." }
        : { ask: INIT_PROMPT },
  },
  {
    name: "review",
    about: "let the model review the uncommitted changes",
    hint: "what to review instead",
    run: (_, argument) => ({ ask: reviewRequest(argument) }),
  },
  {
    name: "compact",
    about: "replace the conversation by a summary of it",
    async run({ opened, isBusy, signal }) {
      if (isBusy) return { say: "A turn is running; try again when it has ended." };
      await opened.session.compact(signal);
      return { say: "The conversation was replaced by a summary." };
    },
  },
  {
    name: "status",
    about: "model, permissions and folder of this session",
    run: ({ opened }) => status(opened),
  },
  { name: "ps", about: "commands that run in the background", run: ({ opened }) => listBackground(opened) },
  {
    name: "stop",
    about: "end commands in the background",
    hint: "number of one of them",
    run: ({ opened }, argument) => stopBackground(opened, argument),
  },
];

/** Our commands, the user's skills and the prompts of MCP servers, as a client lists them. */
export function availableCommands({
  skills,
  inside,
}: Pick<OpenedSession, "skills" | "inside">): AvailableCommand[] {
  return [
    ...COMMANDS.map(({ name, about, hint }) => ({
      name,
      description: about,
      ...(hint === undefined ? {} : { input: { hint } }),
    })),
    ...skills
      .filter((skill) => COMMANDS.every(({ name }) => name !== skill.name))
      .map(({ name, description }) => ({ name, description, input: { hint: "the task" } })),
    ...inside.prompts.list().map(({ name, about, hint }) => ({
      name,
      description: about,
      ...(hint === undefined ? {} : { input: { hint } }),
    })),
  ];
}

/** Runs the command that a prompt begins with; undefined when it begins with none. Throws AppError. */
export async function runCommand(words: string, context: CommandContext): Promise<CommandResult | undefined> {
  const [, name, argument = ""] = /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/.exec(words.trim()) ?? [];
  const command = COMMANDS.find((one) => one.name === name);
  if (command) return await command.run(context, argument.trim());
  const skill = context.opened.skills.find((one) => one.name === name);
  if (skill) return { ask: `Use the skill $${skill.name}. ${argument}`.trim() };
  const { prompts } = context.opened.inside;
  const isPrompt = prompts.list().some((one) => one.name === name);
  return isPrompt && name ? { ask: await prompts.fill(name, argument, context.signal) } : undefined;
}

function status({ names, settings }: OpenedSession): CommandResult {
  const rows = [
    ["model", `${names.model} via ${names.provider}${settings.effort ? `, effort ${settings.effort}` : ""}`],
    ["harness", names.harnessReason ? `${names.harness} (${names.harnessReason})` : names.harness],
    ["folder", settings.cwd],
    ["sandbox", settings.sandboxMode],
    ["approvals", settings.approvals],
    ["session", names.session],
  ];
  return { say: fenced(rows.map(([name = "", value]) => `${name.padEnd(10)} ${value}`).join("\n")) };
}

function listBackground({ user }: OpenedSession): CommandResult {
  const rows = user.background().map(({ id, command }) => `${id}  ${shownCommand(command)}`);
  return { say: rows.length === 0 ? "Nothing runs in the background." : fenced(rows.join("\n")) };
}

async function stopBackground({ user }: OpenedSession, id: string): Promise<CommandResult> {
  const wanted = user.background().filter((one) => id === "" || String(one.id) === id);
  await Promise.all(wanted.map((one) => user.stop(one.id)));
  return { say: wanted.length === 0 ? "Nothing to stop." : `Stopped ${wanted.length}.` };
}
