import { join } from "node:path";

/** The words of each line of a table in test/fixtures/providers, without comments. */
export async function fixtureRows(name: string): Promise<string[][]> {
  const text = await Bun.file(join(import.meta.dir, "..", "fixtures", "providers", name)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.split(" "));
}
