import type { WireApi } from "../protocol/items.ts";
import entries from "./catalog.yaml";
import type { QuirksId } from "./quirk-sets.ts";

/** A provider that works without being configured. */
export type CatalogEntry = {
  id: string;
  name: string;
  base: string;
  wire?: WireApi;
  /** The variable that holds the key; none for local servers. */
  key?: string;
  /** Other programs read that variable as well. */
  sharedKey?: boolean;
  /** Used when no model is named. */
  model?: string;
  quirks?: QuirksId;
  local?: boolean;
};

// Bun reads YAML while it bundles, so in the executable this is an object literal; a test checks its shape.
const catalog: readonly CatalogEntry[] = entries;

export function catalogEntry(id: string): CatalogEntry | undefined {
  return catalog.find((entry) => entry.id === id);
}

export function catalogIds(): string[] {
  return catalog.map(({ id }) => id);
}

/** Providers whose key is in the environment. */
export function catalogEntriesWithKey(has: (variable: string) => boolean): CatalogEntry[] {
  return catalog.filter(({ key }) => key !== undefined && has(key));
}
