import type { LoadedConfig } from "../../config/load.ts";
import type { HarnessHome } from "../../harness/load.ts";
import { chooseHarness, type Route } from "../../harness/route.ts";
import type { WireApi } from "../../protocol/items.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import { fittingHarness } from "../local/fit.ts";
import { toolFlags } from "../session/session-settings.ts";

/**
 * The harness of a session: what the user chose, else what fits the provider, the model and its context window. Throws
 * AppError "config".
 */
export async function routeHarness(
  config: LoadedConfig,
  provider: Provider,
  model: ModelInfo,
  isReview: boolean,
): Promise<Route> {
  const { values } = config;
  const home = harnessHome(config);
  const wire = harnessWire(provider.wire);
  const isChosen = values.harness !== undefined;
  const route = await chosenOrRouted(config, provider, wire, model.id);
  const flags = toolFlags(config, model, { isReview });
  return await fittingHarness({ route, isChosen, window: model.contextWindow, flags, wire, home });
}

/** Where files of harnesses are: the user's, then those of trusted project folders, the nearest last. */
export function harnessHome({ home, projectFolders }: LoadedConfig): HarnessHome {
  return [home, ...projectFolders];
}

/** A harness that is laid out for the chat wire is laid out for Ollama's own, which has the same messages. */
export function harnessWire(wire: WireApi): WireApi {
  return wire === "ollama" ? "chat" : wire;
}

async function chosenOrRouted(
  config: LoadedConfig,
  { id, label, baseUrl, defaultHarness }: Provider,
  wire: WireApi,
  model: string,
): Promise<Route> {
  const { values } = config;
  const home = harnessHome(config);
  if (values.harness === undefined && defaultHarness !== undefined)
    return { id: defaultHarness, reason: "made for what this model can do" };
  const provider = { id, label, wire, ...(baseUrl === undefined ? {} : { baseUrl }) };
  return await chooseHarness({ chosen: values.harness, provider, model, home });
}
