import { join } from "node:path";
import { CONFIG_FILE } from "./paths.ts";
import { findCheckout, findProjectRoot, realPath } from "./project.ts";
import { isTable, type TomlTable } from "./toml-table.ts";

export type Trust = "trusted" | "untrusted";

/**
 * What `[projects]` says of a folder: its own entry, else that of its project root, else that of its Git checkout.
 * Entries and folders are compared as written and without links.
 */
export function trustOf(folder: string, projects: unknown, markers: readonly string[]): Trust | undefined {
  if (!isTable(projects) || Object.keys(projects).length === 0) return undefined;
  const candidates = [folder, findProjectRoot(folder, markers), findCheckout(folder)];
  for (const candidate of candidates) {
    const level = candidate === undefined ? undefined : levelFor(candidate, projects);
    if (level !== undefined) return level;
  }
  return undefined;
}

/** Remembers the decision in the user's config.toml. `folder` is absolute. */
export async function setTrust(home: string, folder: string, trust: Trust): Promise<void> {
  // Writing needs more code than reading, and a run hardly ever writes.
  const { setKey } = await import("./edit.ts");
  await setKey(join(home, CONFIG_FILE), ["projects", folder, "trust_level"], trust);
}

function levelFor(folder: string, projects: TomlTable): Trust | undefined {
  const real = realPath(folder);
  const names = Object.keys(projects);
  const name =
    names.find((key) => key === folder) ??
    names.find((key) => key === real) ??
    names.find((key) => realPath(key) === real);
  const entry = name === undefined ? undefined : projects[name];
  const level = isTable(entry) ? entry["trust_level"] : undefined;
  return level === "trusted" || level === "untrusted" ? level : undefined;
}
