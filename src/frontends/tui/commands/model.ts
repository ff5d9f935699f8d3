import { namedProvider } from "../../../core/model-choice.ts";
import type { ModelInfo } from "../../../providers/types.ts";
import { VERSION } from "../../../util/package.ts";
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
  const { harnessIds } = await import("../../../harness/load.ts");
  const { harnessHome } = await import("../../../core/harness-choice.ts");
  const current = port.conversation.opened?.names.harness;
  const items = (await harnessIds(harnessHome(config)))
    .map((id) => ({ value: id, label: id, ...(id === current ? { note: "current" } : {}) }))
    .sort((a, b) => Number(b.value === current) - Number(a.value === current));
  const id =
    wanted || (await pick(port, { title: "Harness (starts a new conversation)", items, isLast: true }));
  if (id === undefined) return;
  await port.reopen({ kind: "new" }, [{ path: ["harness"], option: "/harness", set: id }]);
}

async function modelsOf(port: Port): Promise<ModelInfo[]> {
  const { config, io } = port;
  if (!config) return [];
  const [{ resolveProvider }, { listModels }, { modelInfo }] = await Promise.all([
    import("../../../providers/resolve.ts"),
    import("../../../providers/model-list.ts"),
    import("../../../providers/models.ts"),
  ]);
  const { values, home } = config;
  const id = port.conversation.opened?.names.provider ?? (await namedProvider(config, io.env, io.signal));
  const provider = await resolveProvider({
    env: io.env,
    originator: "interpreter_tui",
    version: VERSION,
    values,
    id,
  });
  try {
    const { models } = await listModels(provider, { home, now: () => new Date() }, io.signal);
    return models.map((listed) =>
      provider.stream
        ? provider.model(listed.id)
        : modelInfo(listed.id, { provider: id, isLocal: provider.isLocal, listed }),
    );
  } catch {
    // Without a list the current one can still be shown, and any name given with the command.
    return [values.model, provider.defaultModel].flatMap((name) => (name ? [provider.model(name)] : []));
  }
}

function itemOf(model: ModelInfo, current: string | undefined): PickItem {
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
