import type { Override } from "../../../config/overrides.ts";
import type { Around } from "../prompts/pickers/types.ts";
import { continueWith } from "./threads.ts";
import type { CommandPort } from "./types.ts";

/** Chooses another provider, model or effort. The conversation goes on with it. */
export async function changeModel(port: CommandPort, named: string): Promise<void> {
  if (named !== "") {
    await continueWith(port, [{ path: ["model"], option: "/model", set: named }]);
    return;
  }
  const around = aroundOf(port);
  if (!around) return;
  const { pickModel } = await import("../prompts/pickers/model.ts");
  const answer = await port.ask((asker) => pickModel(asker, around));
  if (answer) await continueWith(port, answer.overrides, answer.env);
}

/** Chooses how the model is spoken to. A conversation can't change it, so that a new one begins. */
export async function changeHarness(port: CommandPort, named: string): Promise<void> {
  const around = aroundOf(port);
  if (!around) return;
  const { pickHarness } = await import("../prompts/pickers/harness.ts");
  const overrides: Override[] | undefined =
    named === ""
      ? await port.ask((asker) => pickHarness(asker, around))
      : [{ path: ["harness"], option: "/harness", set: named }];
  if (!overrides) return;
  await port.reopen({ kind: "new" }, overrides);
  port.notice({ level: "info", text: "This is a new conversation, because the harness has changed." });
}

/** Changes what commands may do, for this conversation. */
export async function changePermissions(port: CommandPort): Promise<void> {
  const opened = port.conversation.opened;
  const { pickPermissions } = await import("../prompts/pickers/permissions.ts");
  const overrides = await port.ask((asker) => pickPermissions(asker, opened?.settings.sandboxMode));
  if (!overrides) return;
  opened?.user.setPermissions(await port.reconfigure(overrides));
  const { sandboxMode, approvals } = opened?.settings ?? {};
  port.notice({ level: "info", text: `Permissions from now on: ${sandboxMode}, approvals ${approvals}.` });
}

function aroundOf({ config, env, signal, conversation }: CommandPort): Around | undefined {
  if (!config) return undefined;
  return { config, env, signal, current: conversation.opened?.names };
}
