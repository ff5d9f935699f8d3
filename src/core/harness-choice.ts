import type { LoadedConfig } from "../config/load.ts";
import { chooseHarness, type Route } from "../harness/route.ts";
import type { Provider } from "../providers/types.ts";

/** The harness of a session: what the user chose, else what fits the provider and the model. Throws AppError "config". */
export function routeHarness(
  { values, home }: LoadedConfig,
  { id, label, wire, baseUrl }: Provider,
  model: string,
): Promise<Route> {
  return chooseHarness({ chosen: values.harness, provider: { id, label, wire, baseUrl }, model, home });
}
