import type { Override } from "../../../../config/overrides.ts";
import { type ModelChoice, modelsToChoose } from "../../../../core/choices/models.ts";
import { type ProviderChoice, providersToChoose } from "../../../../core/choices/providers.ts";
import { findOtherServers, findServers } from "../../../../core/choices/servers.ts";
import type { Effort } from "../../../../protocol/settings.ts";
import type { Asker, Choice } from "../asker.ts";
import { modelRows } from "../model-rows.ts";
import { sayError } from "../say-error.ts";
import { currentFirst } from "./order.ts";
import type { Around } from "./types.ts";

type Env = Readonly<Record<string, string | undefined>>;
/** Settings for this run, and what its environment must have for them. */
export type ModelAnswer = { overrides: Override[]; env: Env };

/** Asks for a provider that can be used, one of its models, and how hard it is to think. */
export async function pickModel(asker: Asker, around: Around): Promise<ModelAnswer | undefined> {
  const provider = await askProvider(asker, around);
  if (provider === undefined) return undefined;
  if (provider === "another") return await setUpAnother(asker, around);
  const { config, env, signal, current } = around;
  let models: ModelChoice[];
  try {
    models = await modelsToChoose({ provider: provider.id, config, env }, signal);
  } catch (cause) {
    sayError(asker, cause);
    return undefined;
  }
  const isHere = current?.provider === provider.id;
  const model = await askModel(asker, models, isHere ? current.model : provider.defaultModel, isHere);
  if (!model) return undefined;
  const effort = model.efforts.length > 1 ? await askEffort(asker, model.efforts, around) : "kept";
  if (effort === undefined) return undefined;
  return {
    overrides: overridesOf({
      model_provider: provider.id,
      model: model.id,
      ...(effort === "kept" ? {} : { model_reasoning_effort: effort }),
    }),
    env: {},
  };
}

async function askProvider(asker: Asker, around: Around): Promise<ProviderChoice | "another" | undefined> {
  const { config, env, signal, current } = around;
  const [providers, servers, others] = await Promise.all([
    providersToChoose(config, env),
    findServers(config, env, signal),
    findOtherServers(signal, around.ports),
  ]);
  const isRunning = (id: string) => servers.find((one) => one.id === id)?.modelCount !== undefined;
  const isKnownServer = (id: string) => servers.some((one) => one.id === id);
  const isFound = (one: ProviderChoice) =>
    others.some(({ provider, baseUrl }) => provider === one.id && baseUrl === one.baseUrl);
  const usable = providers.filter((one) => {
    const { id, isReady, isConfigured, isLocal } = one;
    if (id === current?.provider || isFound(one)) return true;
    if (isKnownServer(id)) return isRunning(id);
    return isReady && (isConfigured || !isLocal);
  });
  const ordered = currentFirst(usable, ({ id }) => id === current?.provider);
  const width = Math.max(...usable.map(({ name }) => Bun.stringWidth(name)), 0);
  const choices = ordered.map(({ item, isCurrent }): Choice<ProviderChoice | "another"> => {
    const host = URL.canParse(item.baseUrl) ? new URL(item.baseUrl).host : item.baseUrl;
    const where = item.isLocal ? `local  ${host}` : host;
    const name = item.name + " ".repeat(width - Bun.stringWidth(item.name));
    return { value: item, label: `${name}  ${where}`, ...(isCurrent ? { hint: "current" } : {}) };
  });
  return await asker.choose({
    message: "Provider",
    choices: [...choices, { value: "another", label: "another provider, with an API key…" }],
    initial: 0,
  });
}

async function setUpAnother(asker: Asker, around: Around): Promise<ModelAnswer | undefined> {
  const { cloudProvider } = await import("../../onboarding/cloud-provider.ts");
  const setup = await cloudProvider(asker, around);
  if (!setup) return undefined;
  const overrides = setup.values.map(([path, set]) => ({ path, option: "/model", set }));
  if (!setup.key) return { overrides, env: {} };
  const { saveKey } = await import("../../onboarding/key-file.ts");
  asker.say(`The key is in ${await saveKey(around.config.home, setup.key)}, readable by you only.`);
  return { overrides, env: { [setup.key.variable]: setup.key.value } };
}

async function askModel(
  asker: Asker,
  models: readonly ModelChoice[],
  preferred: string | undefined,
  isCurrent: boolean,
): Promise<ModelChoice | undefined> {
  if (models.length === 0) {
    asker.say("This provider has no model.");
    return undefined;
  }
  const ordered = currentFirst(models, ({ id }) => id === preferred);
  const rows = modelRows(ordered.map(({ item }) => item));
  return await asker.choose({
    message: "Model",
    choices: ordered.map(({ item, isCurrent: isPreferred }, i) => ({
      value: item,
      label: rows[i] ?? item.id,
      ...(isPreferred ? { hint: isCurrent ? "current" : "usual" } : {}),
    })),
    initial: 0,
  });
}

async function askEffort(
  asker: Asker,
  efforts: readonly Effort[],
  { config }: Around,
): Promise<Effort | undefined> {
  const current = config.values.model_reasoning_effort ?? "medium";
  return await asker.choose({
    message: "Reasoning effort",
    choices: efforts.map((effort) => ({ value: effort, label: effort })),
    initial: Math.max(0, efforts.indexOf(current)),
  });
}

function overridesOf(values: Readonly<Record<string, string>>): Override[] {
  return Object.entries(values).map(([key, set]) => ({ path: [key], option: "/model", set }));
}
