import type { WireApi } from "../protocol/items.ts";
import { AppError } from "../util/errors.ts";
import type { RoutedHarness } from "./built-in-routes.ts";
import type { Harness } from "./compose.ts";
import { type HarnessHome, harnessIds, loadHarness } from "./load.ts";
import { routedHarnesses } from "./routes.ts";

export type RouteQuestion = {
  /** What the user chose; "" is a choice too, the native harness. */
  chosen: string | undefined;
  provider: { id: string; label: string; baseUrl?: string | undefined; wire: WireApi };
  model: string;
  home: HarnessHome;
};
/** `reason` is for people, in a few words. */
export type Route = { id: string; reason: string };

/** The harness for a provider and a model: what the user chose, else the first one that says it is made for them. */
export async function chooseHarness({ chosen, provider, model, home }: RouteQuestion): Promise<Route> {
  if (chosen !== undefined) return { id: chosen || "native", reason: "chosen by the user" };
  let unfit: string | undefined;
  for (const harness of await routedHarnesses(home)) {
    const why = reasonFor(harness, provider, model);
    if (why !== undefined && harness.wires.includes(provider.wire)) return { id: harness.id, reason: why };
    if (why !== undefined) unfit ??= `${harness.id} is ${why}, but not for wire_api = "${provider.wire}"`;
  }
  return { id: "native", reason: unfit ?? "no other harness is made for this provider or model" };
}

/** Throws AppError "config", naming the harnesses that know the wire, when this one does not. */
export async function checkWire(harness: Harness, wire: WireApi, home: HarnessHome): Promise<void> {
  if (harness.wires.includes(wire)) return;
  const fitting = await harnessesFor(wire, home);
  throw new AppError("config", `the harness ${harness.id} does not work with wire_api = "${wire}"`, {
    hint: `it knows ${harness.wires.join(", ")}; with ${wire} these work: ${fitting.join(", ")}`,
  });
}

function reasonFor(
  { routing }: RoutedHarness,
  provider: RouteQuestion["provider"],
  model: string,
): string | undefined {
  if (!routing) return undefined;
  const fits = (pattern: string | undefined, text: string | undefined) =>
    pattern !== undefined && text !== undefined && new RegExp(pattern, "i").test(text);
  const doesNameCount = routing.modelWires?.some((wire) => wire === provider.wire) ?? true;
  if (doesNameCount && fits(routing.model, model)) return `made for models like ${model}`;
  if (fits(routing.provider, provider.id) || fits(routing.provider, provider.label))
    return `made for the provider ${provider.id}`;
  return fits(routing.baseUrl, provider.baseUrl) ? `made for ${provider.baseUrl}` : undefined;
}

/** A file that is wrong is no answer here; whoever chooses it hears of it. */
async function harnessesFor(wire: WireApi, home: HarnessHome): Promise<string[]> {
  const ids = await harnessIds(home);
  const fitting = await Promise.all(
    ids.map(async (id) => (await loadHarness(id, home).catch(() => undefined))?.wires.includes(wire)),
  );
  return ids.filter((_, at) => fitting[at]);
}
