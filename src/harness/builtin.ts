import type { HarnessFile } from "./schema.ts";

/**
 * The built-in harnesses, one lazy import each. Bun reads YAML while it bundles, so that at run time a harness is an
 * object literal which no parser and no schema has to look at; a test checks each of them against the schema.
 */
const BUILT_IN: Readonly<Record<string, () => Promise<{ default: HarnessFile }>>> = {
  minimal: () => import("../../harnesses/minimal.yaml"),
  native: () => import("../../harnesses/native.yaml"),
};

export function builtInIds(): string[] {
  return Object.keys(BUILT_IN);
}

export async function builtInFile(id: string): Promise<HarnessFile | undefined> {
  if (!Object.hasOwn(BUILT_IN, id)) return undefined;
  const loaded = await BUILT_IN[id]?.();
  return loaded?.default;
}
