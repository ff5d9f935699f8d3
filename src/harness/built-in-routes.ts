import { builtInIds } from "./builtin.ts";
import type { Harness } from "./compose.ts";
import { loadHarness } from "./load.ts";

/** What choosing a harness looks at. */
export type RoutedHarness = Pick<Harness, "id" | "wires" | "routing">;

/**
 * The built-in harnesses that say what they are made for. Called as a macro: Bun runs it while it bundles and puts the
 * answer in its place, so that a start does not load four harnesses to use none of them.
 */
export async function builtInRoutes(): Promise<RoutedHarness[]> {
  const all = await Promise.all(builtInIds().map((id) => loadHarness(id, [])));
  return all.flatMap(({ id, wires, routing }) => (routing ? [{ id, wires, routing }] : []));
}
