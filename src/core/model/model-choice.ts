import { ANY_LOCAL_PROVIDER } from "../../config/flags.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { DEFAULT_PROVIDER } from "../../config/schema.ts";
import { KEY_VARIABLES } from "../../providers/key-variables.ts";
import { resolveProvider } from "../../providers/resolve.ts";
import { nonBlank } from "../../providers/settings.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import { AppError } from "../../util/errors.ts";
import { isNear } from "../../util/near-address.ts";
import { VERSION } from "../../util/package.ts";
import { linkModel } from "./model-link.ts";

export type ModelChoice = {
  provider: Provider;
  model: ModelInfo;
  /** For the user, one line each. */
  warnings?: readonly string[];
  /** What was chosen without being asked for; a person should know. */
  notices?: readonly string[];
  /** The context window in words, where it was a choice. */
  window?: string;
};
type Client = {
  env: Readonly<Record<string, string | undefined>>;
  originator: string;
  sessionId: () => string;
};

/**
 * The provider and model that the configuration names. Without a provider and without any key, a local server that runs
 * is used. Throws AppError.
 */
export async function chooseModel(
  config: LoadedConfig,
  client: Client,
  signal: AbortSignal,
): Promise<ModelChoice> {
  const found = hasNoProvider(config, client.env) ? await foundServer(config, client.env, signal) : undefined;
  if (found === undefined)
    return await chooseFrom(await namedProvider(config, client.env, signal), config, client, signal);
  const choice = await fromFoundServer(found, config, client, signal);
  if (!choice) return await chooseFrom(config.values.model_provider, config, client, signal);
  const { provider, model, window } = choice;
  const context = window ? `, context ${window}` : "";
  const notice = `No provider is configured: using ${provider.label} on ${provider.baseUrl ?? "this machine"}, model ${model.id}${context}.`;
  return { ...choice, notices: [notice] };
}

/** The id of the provider that a session would use; what `chooseModel` decides, without asking for a model. */
export async function providerInUse(
  config: LoadedConfig,
  env: Client["env"],
  signal: AbortSignal,
): Promise<string> {
  const found = hasNoProvider(config, env) ? await foundServer(config, env, signal) : undefined;
  return found ?? (await namedProvider(config, env, signal));
}

/** The id of the model that a session with this provider would use; undefined when that can't be said. */
export async function modelInUse(
  id: string,
  config: LoadedConfig,
  client: Client,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await chooseFrom(id, config, client, signal)).model.id;
  } catch {
    signal.throwIfAborted();
    return config.values.model;
  }
}

/** The id of the configured provider; "local" stands for the local server that runs. Throws AppError when none does. */
export async function namedProvider(
  { values }: LoadedConfig,
  env: Client["env"],
  signal: AbortSignal,
): Promise<string> {
  const { model_provider: id, model_providers: tables } = values;
  if (id !== ANY_LOCAL_PROVIDER || tables[id] !== undefined) return id;
  const { requireRunningServer } = await import("../local/running.ts");
  return await requireRunningServer({ env, isAirGapped: values.air_gapped }, signal);
}

async function foundServer(
  { values }: LoadedConfig,
  env: Client["env"],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { runningServer } = await import("../local/running.ts");
  return await runningServer({ env, isAirGapped: values.air_gapped }, signal);
}

/** A model named in a file is one of the provider that has no key yet; the running server need not have it. */
async function fromFoundServer(
  id: string,
  config: LoadedConfig,
  client: Client,
  signal: AbortSignal,
): Promise<ModelChoice | undefined> {
  try {
    return await chooseFrom(id, config, client, signal);
  } catch (cause) {
    if (config.originOf("model")?.kind === "file") return undefined;
    throw cause;
  }
}

/** Nothing says where requests should go, and there is no key that could. */
export function hasNoProvider({ values, originOf }: LoadedConfig, env: Client["env"]): boolean {
  return (
    values.model_provider === DEFAULT_PROVIDER &&
    originOf("model_provider") === undefined &&
    !values.openai_base_url &&
    values.model_providers["openai"] === undefined &&
    !KEY_VARIABLES.some((name) => nonBlank(env, name) !== undefined)
  );
}

async function chooseFrom(
  id: string,
  { values, home }: LoadedConfig,
  client: Client,
  signal: AbortSignal,
): Promise<ModelChoice> {
  const chatCompletions = values.force_chat_completions;
  const provider = await resolveProvider({ ...client, values, id, version: VERSION, chatCompletions });
  if (values.air_gapped && provider.baseUrl !== undefined) {
    const { checkAirGap, checkNoCloud } = await import("../../providers/air-gap.ts");
    checkAirGap(provider.id, provider.baseUrl);
    if (values.model !== undefined) checkNoCloud(values.model);
  }
  // A wire that the user has chosen is spoken, whatever the server could do.
  const isOwnWire = chatCompletions || values.model_providers[id]?.wire_api !== undefined;
  const isKnownServer = provider.isLocal && (id === "ollama" || id === "lmstudio") && !isOwnWire;
  if (isKnownServer || provider.wire === "ollama") {
    const { prepareLocal } = await import("../local/prepare.ts");
    const wantedWindow = values.model_context_window;
    const isAirGapped = values.air_gapped;
    const question = { provider, named: values.model, wantedWindow, isAirGapped, env: client.env, home };
    return await prepareLocal(question, signal);
  }
  if (provider.stream === undefined && isOtherServer(provider)) {
    const { prepareServed } = await import("../local/served.ts");
    const question = { provider, named: values.model, wantedWindow: values.model_context_window };
    return await prepareServed(
      { ...question, isAirGapped: values.air_gapped, env: client.env, home },
      signal,
    );
  }
  const name = values.model ?? (await listedHere(provider, signal)) ?? provider.defaultModel;
  if (name === undefined) {
    throw new AppError("config", `no model is chosen for the provider ${provider.id}`, {
      hint: 'name one with -m MODEL, or set model = "…" in config.toml',
    });
  }
  const model = provider.model(name);
  if (id !== "ollama" || !provider.isLocal) return { provider, model };
  const { withCutWarning } = await import("../local/cut-warning.ts");
  const { stream } = linkModel(provider, model);
  const warned = { ...provider, stream: withCutWarning(stream, "Ollama", UNTOLD_REMEDY) };
  return {
    provider: warned,
    model,
    warnings: values.model_context_window === undefined ? [UNTOLD_WINDOW] : [],
  };
}

/** Which of its models a local server is asked for that is spoken to through an interface of the user's choice. */
async function listedHere(provider: Provider, signal: AbortSignal): Promise<string | undefined> {
  if (!provider.isLocal || provider.stream) return undefined;
  const { listedModel } = await import("../local/served.ts");
  return await listedModel(provider, signal);
}

const UNTOLD_REMEDY = "set OLLAMA_CONTEXT_LENGTH for the server, or leave wire_api out";

/**
 * One of this machine or its network that is neither Ollama nor LM Studio, so that its model and window are its own. The
 * chat wire is what such servers speak; whoever has set another one knows what stands there, and is spared the questions.
 */
function isOtherServer({ id, baseUrl, wire }: Provider): boolean {
  return id !== "ollama" && id !== "lmstudio" && wire === "chat" && baseUrl !== undefined && isNear(baseUrl);
}

const UNTOLD_WINDOW =
  "through this interface Ollama can't be told a context window, and its own is often 4096 tokens: set " +
  "OLLAMA_CONTEXT_LENGTH for the server and model_context_window here, or leave wire_api out";
