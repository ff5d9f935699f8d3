import { builtInRoutes } from "./built-in-routes.ts" with { type: "macro" };
import type { RoutedHarness } from "./built-in-routes.ts";
import { type HarnessHome, harnessText, loadHarness, ownIds, pathOf } from "./load.ts";

/** The harnesses that say what they are made for, the one that comes first in front. Broken files of the user's are no help. */
export async function routedHarnesses(home: HarnessHome): Promise<RoutedHarness[]> {
  const own = await ownIds(home);
  const loaded = await Promise.all(own.map((id) => routedFile(id, home)));
  const builtIn = (await builtInRoutes()).filter(({ id }) => !own.includes(id));
  return [...builtIn, ...loaded.flat()].sort((a, b) => orderOf(a) - orderOf(b));
}

/** Reading YAML costs milliseconds at every start; a look for the word costs none. */
async function routedFile(id: string, home: HarnessHome): Promise<RoutedHarness[]> {
  const text = await harnessText(pathOf(id, home)).catch(() => "");
  if (!/^routing:/m.test(text)) return [];
  const harness = await loadHarness(id, home).catch(() => undefined);
  return harness?.routing ? [harness] : [];
}

function orderOf({ routing }: RoutedHarness): number {
  return routing?.order ?? 0;
}
