import { readFileSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../util/errors.ts";
import { codeOf, factsOf } from "../util/fs.ts";
import { once } from "../util/once.ts";
import type { Override } from "./overrides.ts";
import { resolvePath } from "./paths.ts";
import { decodeText } from "./text.ts";
import { parseToml } from "./toml.ts";
import { placeOf, scanToml, type TomlEntry } from "./toml-scan.ts";
import { emptyTable, isTable, mapAt, mergeTables, type TomlTable, tableWith, valueAt } from "./toml-table.ts";

/** One source of settings. Layers are kept in a list, the lowest first. */
export type Layer = { table: TomlTable; source: Source };
/** `prefix`: the table of the file that the layer was taken from, such as `profiles.fast`. `entries`: of `text`. */
type Source =
  | {
      kind: "file";
      file: string;
      text: string;
      entries: () => readonly TomlEntry[];
      prefix: readonly string[];
    }
  | { kind: "option"; option: string };

/** Where a value came from. Line and column count from 1. */
export type Origin =
  | { kind: "file"; file: string; line?: number; column?: number }
  | { kind: "option"; option: string };

/** Keys that hold a path; `*` is any name or index. In a file they are relative to its folder. */
const PATH_KEYS: readonly (readonly string[])[] = [
  ["model_catalog_json"],
  ["model_instructions_file"],
  ["experimental_compact_prompt_file"],
  ["log_dir"],
  ["sqlite_home"],
  ["sandbox_workspace_write", "writable_roots", "*"],
  ["skills", "config", "*", "path"],
  ["agents", "*", "config_file"],
  ["model_providers", "*", "auth", "cwd"],
  ["mcp_servers", "*", "cwd"],
];

/** Reads a file as a layer; undefined when there is no such file. Throws AppError "config". */
export async function readLayer(file: string, personHome: string): Promise<Layer | undefined> {
  let bytes: Uint8Array;
  try {
    const facts = statSync(file);
    // A repository may bring a pipe or a socket of this name, and reading it would never end.
    if (isEndless(facts)) throw notAFile(file);
    if (facts.size > MOST_BYTES) throw tooLarge(file, facts.size);
    bytes = readFileSync(file);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return undefined;
    throw new AppError("config", `${file}: cannot be read (${codeOf(cause) ?? cause})`, {
      hint: "make the file readable, or move it away",
      cause,
    });
  }
  const text = decodeText(bytes, file);
  const table = absolutePaths(parseToml(text, file), dirname(file), personHome);
  return { table, source: { kind: "file", file, text, entries: once(() => scanToml(text)), prefix: [] } };
}

/** Thousands of projects and servers are far below that. */
const MOST_BYTES = 2 ** 20;

function tooLarge(file: string, size: number): AppError {
  return new AppError(
    "config",
    `${file}: wanted settings of at most ${MOST_BYTES / 2 ** 20} MiB, found ${(size / 2 ** 20).toFixed(1)} MiB`,
    { hint: "check whether another file was put in its place, or move it away" },
  );
}

/** A link to /dev/null is a way to have no settings. */
function isEndless(facts: Stats): boolean {
  const isDevice = facts.isCharacterDevice() && facts.rdev !== factsOf("/dev/null")?.rdev;
  return facts.isFIFO() || facts.isSocket() || isDevice;
}

function notAFile(file: string): AppError {
  return new AppError("config", `${file}: wanted a file, found a pipe, a socket or a device`, {
    hint: "put an ordinary file there, or move it away",
  });
}

/** A table of `layers` as a layer of its own, for the old form of profiles. */
export function layerFrom(layers: readonly Layer[], path: readonly string[]): Layer | undefined {
  const source = sourceOf(layers, path);
  const found = valueAt(mergeLayers(layers), path);
  if (source?.kind !== "file" || typeof found !== "object" || found === null) return undefined;
  return {
    table: mergeTables(emptyTable(), { ...found }),
    source: { ...source, prefix: [...source.prefix, ...path] },
  };
}

/** Puts overrides above `layers`, in their order. Relative paths start at `cwd`. */
export function withOverrides(
  layers: readonly Layer[],
  overrides: readonly Override[],
  cwd: string,
  personHome: string,
): Layer[] {
  const all = [...layers];
  for (const override of overrides) {
    const table = tableWith(override.path, overrideValue(all, override));
    const { option } = override;
    all.push({ table: absolutePaths(table, cwd, personHome), source: { kind: "option", option } });
  }
  return all;
}

/** All layers as one table: tables are merged key by key, for anything else the higher layer counts. */
export function mergeLayers(layers: readonly Layer[]): TomlTable {
  return layers.reduce((merged, { table }) => mergeTables(merged, table), emptyTable());
}

/** The highest layer that says something at this path. */
function sourceOf(layers: readonly Layer[], path: readonly string[]): Source | undefined {
  return layers.findLast(({ table }) => valueAt(table, path) !== undefined)?.source;
}

/** Where the value at a path comes from, with its place in a file; undefined when no layer has it. */
export function originAt(layers: readonly Layer[], path: readonly string[]): Origin | undefined {
  const source = sourceOf(layers, path);
  if (source === undefined || source.kind === "option") return source;
  const place = placeOf(source.text, source.entries(), [...source.prefix, ...path]);
  return { kind: "file", file: source.file, ...place };
}

/** The origin for messages: `FILE:LINE:COLUMN`, or the option. */
export function formatOrigin(origin: Origin): string {
  if (origin.kind === "option") return origin.option === "-c" ? "-c/--config override" : origin.option;
  const { file, line, column } = origin;
  return line === undefined ? file : `${file}:${line}:${column}`;
}

function overrideValue(layers: readonly Layer[], override: Override): unknown {
  if ("set" in override) return override.set;
  if ("unset" in override) return undefined;
  const merged = mergeLayers(layers);
  if ("append" in override) {
    const old = valueAt(merged, override.path);
    return [...(Array.isArray(old) ? old : []), ...override.append];
  }
  return valueAt(merged, override.copyOf) ?? override.otherwise;
}

function absolutePaths(table: TomlTable, base: string, personHome: string): TomlTable {
  return PATH_KEYS.reduce((changed, pattern) => {
    if (pattern[0] === undefined || !Object.hasOwn(changed, pattern[0])) return changed;
    const resolved = mapAt(changed, pattern, (value) =>
      typeof value === "string" ? resolvePath(base, value, personHome) : value,
    );
    return isTable(resolved) ? resolved : changed;
  }, table);
}
