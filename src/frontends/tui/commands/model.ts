import { namedProvider } from "../../../core/model-choice.ts";
import { harnessMenu, modelMenu } from "../../../core/model-menu.ts";
import type { Port } from "../port.ts";
import { type PickItem, pick } from "./pick.ts";
import { continueWith } from "./threads.ts";

/** Chooses another model of the provider, then its effort where it has several. The conversation goes on with it. */
export async function changeModel(port: Port, wanted: string): Promise<void> {
  const models = await modelsOf(port);
  const current = port.conversation.opened?.names.model;
  const items = models
    .map((model) => itemOf(model, current))
    .sort((a, b) => Number(b.value === current) - Number(a.value === current));
  const name = wanted || (await pick(port, { title: "Model", items, isLast: false }));
  if (name === undefined) return;
  const efforts = models.find(({ id }) => id === name)?.efforts ?? [];
  const effort = efforts.length > 1 && wanted === "" ? await pickEffort(port, efforts) : undefined;
  await continueWith(port, [
    { path: ["model"], option: "/model", set: name },
    ...(effort === undefined ? [] : [{ path: ["model_reasoning_effort"], option: "/model", set: effort }]),
  ]);
}

/** Chooses how the model is spoken to. A conversation can't change it, so that a new one begins. */
export async function changeHarness(port: Port, wanted: string): Promise<void> {
  const { config } = port;
  if (!config) return;
  const current = port.conversation.opened?.names.harness;
  const items = (await harnessMenu(config))
    .map((id) => ({ value: id, label: id, ...(id === current ? { note: "current" } : {}) }))
    .sort((a, b) => Number(b.value === current) - Number(a.value === current));
  const id =
    wanted || (await pick(port, { title: "Harness (starts a new conversation)", items, isLast: true }));
  if (id === undefined) return;
  await port.reopen({ kind: "new" }, [{ path: ["harness"], option: "/harness", set: id }]);
}

async function modelsOf({ config, conversation, io }: Port): Promise<MenuModel[]> {
  if (!config) return [];
  const id = conversation.opened?.names.provider ?? (await namedProvider(config, io.env, io.signal));
  return await modelMenu(config, id, io.env, io.signal);
}

type MenuModel = Awaited<ReturnType<typeof modelMenu>>[number];

function itemOf(model: MenuModel, current: string | undefined): PickItem {
  const window = model.known ? `${Math.round(model.contextWindow / 1000)}k` : "";
  const about = [window, model.tools ? "tools" : "no tools, answers only", model.images ? "images" : ""];
  return {
    value: model.id,
    label: model.id,
    about: about.filter((one) => one !== "").join(" · "),
    ...(model.id === current ? { note: "current" } : {}),
  };
}

async function pickEffort(port: Port, efforts: readonly string[]): Promise<string | undefined> {
  const items = efforts.map((effort) => ({ value: effort, label: effort }));
  return await pick(port, { title: "Reasoning effort", items, isLast: true });
}
