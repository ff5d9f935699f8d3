import type { Override } from "../../../config/overrides.ts";
import { speedText } from "../../../protocol/usage.ts";
import { durationText } from "../view/duration.ts";
import type { PlainPort } from "./plain-port.ts";

export type PlainCommand = {
  name: string;
  alias?: string;
  about: string;
  isIdleOnly: boolean;
  run(port: PlainPort, argument: string): void | Promise<void>;
};

export const PLAIN_COMMANDS: readonly PlainCommand[] = [
  { name: "help", about: "list the commands", isIdleOnly: false, run: (port) => port.say(helpText()) },
  {
    name: "new",
    alias: "clear",
    about: "start a new conversation",
    isIdleOnly: true,
    run: (port) => port.open({ kind: "new" }),
  },
  { name: "resume", about: "continue an earlier conversation", isIdleOnly: true, run: resume },
  { name: "fork", about: "continue in a copy of this conversation", isIdleOnly: true, run: fork },
  { name: "compact", about: "replace the conversation by a summary of it", isIdleOnly: true, run: compact },
  { name: "model", about: "choose provider, model and reasoning effort", isIdleOnly: true, run: model },
  {
    name: "harness",
    about: "choose the form in which the model is spoken to",
    isIdleOnly: true,
    run: harness,
  },
  { name: "permissions", about: "choose what commands may do", isIdleOnly: false, run: permissions },
  { name: "status", about: "model, permissions, folder and use", isIdleOnly: false, run: status },
  { name: "ps", about: "commands that run in the background", isIdleOnly: false, run: background },
  { name: "stop", about: "end a command in the background, by its number", isIdleOnly: false, run: stop },
  {
    name: "quit",
    alias: "exit",
    about: "leave; so does ctrl+d",
    isIdleOnly: false,
    run: (port) => port.quit(),
  },
];

function helpText(): string {
  const rows = PLAIN_COMMANDS.map(({ name, about }) => `/${name.padEnd(12)} ${about}`);
  return [
    ...rows,
    "!COMMAND      run a command of your own, without the sandbox",
    "A line that ends with a backslash goes on in the next one. Ctrl+C stops what runs.",
  ].join("\n");
}

async function resume(port: PlainPort, id: string): Promise<void> {
  const { config, cwd, asker, conversation } = port;
  if (id !== "") {
    await port.open({ kind: "resume", id });
    return;
  }
  const { pickSession } = await import("../prompts/pickers/session.ts");
  const place = { home: config?.home ?? "", cwd, isAll: false, current: conversation.opened?.session.id };
  const chosen = await pickSession(asker, { ...place, now: Date.now() });
  if (chosen !== undefined) await port.open({ kind: "resume", id: chosen });
}

async function fork(port: PlainPort): Promise<void> {
  const id = port.conversation.opened?.session.id;
  if (id === undefined || !hasBegun(port)) port.say("Nothing was said yet, so there is nothing to copy.");
  else await port.open({ kind: "fork", id });
}

async function compact(port: PlainPort): Promise<void> {
  const session = port.conversation.opened?.session;
  if (session) await port.hold((signal) => session.compact(signal));
}

async function model(port: PlainPort, named: string): Promise<void> {
  if (named !== "") {
    await continueWith(port, [{ path: ["model"], option: "/model", set: named }]);
    return;
  }
  const around = aroundOf(port);
  if (!around) return;
  const { pickModel } = await import("../prompts/pickers/model.ts");
  const answer = await pickModel(port.asker, around);
  if (answer) await continueWith(port, answer.overrides, answer.env);
}

async function harness(port: PlainPort, named: string): Promise<void> {
  const around = aroundOf(port);
  if (!around) return;
  const { pickHarness } = await import("../prompts/pickers/harness.ts");
  const overrides: Override[] | undefined =
    named === ""
      ? await pickHarness(port.asker, around)
      : [{ path: ["harness"], option: "/harness", set: named }];
  if (!overrides) return;
  await port.reconfigure(overrides);
  // A conversation can't change its form.
  await port.open({ kind: "new" });
}

async function permissions(port: PlainPort): Promise<void> {
  const opened = port.conversation.opened;
  const { pickPermissions } = await import("../prompts/pickers/permissions.ts");
  const overrides = await pickPermissions(port.asker, opened?.settings.sandboxMode);
  if (!overrides) return;
  opened?.user.setPermissions(await port.reconfigure(overrides));
  port.say(`done: permissions from now on: ${opened?.settings.sandboxMode ?? "as chosen"}`);
}

function status(port: PlainPort): void {
  const { conversation, cwd, progress, config } = port;
  const opened = conversation.opened;
  if (!opened) {
    port.say("No session is open.");
    return;
  }
  const { names, settings } = opened;
  const { total, contextLeft = 100, lastSpeed } = progress;
  const speed = speedText(lastSpeed);
  const rows = [
    `model: ${names.model} via ${names.provider}${settings.effort ? `, effort ${settings.effort}` : ""}`,
    `harness: ${names.harness}`,
    `folder: ${cwd}`,
    `sandbox: ${settings.sandboxMode}, approvals: ${settings.approvals}`,
    `project: ${config?.trust ?? "not decided"}`,
    `session: ${names.session}`,
    `tokens: ${total.input} in, ${total.output} out, ${contextLeft}% of the context left`,
    ...(speed === "" ? [] : [`speed: ${speed}`]),
  ];
  port.say(rows.join("\n"));
}

function background(port: PlainPort): void {
  const running = port.conversation.opened?.user.background() ?? [];
  const rows = running.map(
    ({ id, command, startedAt }) => `${id}. ${command}, ${durationText(Date.now() - startedAt)}`,
  );
  port.say(rows.length === 0 ? "Nothing runs in the background." : rows.join("\n"));
}

async function stop(port: PlainPort, id: string): Promise<void> {
  const isDone = /^\d+$/.test(id) && (await port.conversation.opened?.user.stop(Number(id)));
  port.say(isDone ? `done: stopped ${id}` : "Which one? /stop NUMBER; /ps lists them.");
}

/** Goes on in the same conversation under other settings. */
async function continueWith(
  port: PlainPort,
  overrides: readonly Override[],
  env: PlainPort["env"] = {},
): Promise<void> {
  const id = port.conversation.opened?.session.id;
  await port.reconfigure(overrides, env);
  await port.open(id !== undefined && hasBegun(port) ? { kind: "resume", id } : { kind: "new" });
}

function hasBegun({ conversation, progress }: PlainPort): boolean {
  return progress.turnCount > 0 || (conversation.opened?.history.length ?? 0) > 0;
}

function aroundOf({ config, env, signal, conversation }: PlainPort) {
  if (!config) return undefined;
  return { config, env, signal, current: conversation.opened?.names };
}
