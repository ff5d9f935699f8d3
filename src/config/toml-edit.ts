import { AppError } from "../util/errors.ts";
import { parseToml } from "./toml.ts";
import { lineAndColumn, scanToml, startsWith, type TomlEntry } from "./toml-scan.ts";
import {
  emptyTable,
  formatPath,
  isTable,
  mergeTables,
  type TomlTable,
  tableWith,
  valueAt,
  without,
} from "./toml-table.ts";

/**
 * The text with one value changed and everything else, comments included, as it was; `undefined` removes the key. The
 * result is read again: when it does not say exactly what was wanted, AppError "config" is thrown instead.
 */
export function editToml(text: string, path: readonly string[], value: unknown, file: string): string {
  const before = parseToml(text, file);
  const cleared =
    value === undefined || isTable(value) || isTable(valueAt(before, path)) ? removed(text, path) : text;
  const edited = value === undefined ? cleared : inserted(cleared, path, value);
  const wanted =
    value === undefined ? without(before, path) : mergeTables(without(before, path), tableWith(path, value));
  if (!Bun.deepEquals(pruned(parseOrEmpty(edited)), pruned(wanted))) {
    const line = scanToml(text).find((entry) => startsWith(entry.path, path.slice(0, 1)));
    const where = line === undefined ? file : `${file}:${lineAndColumn(text, line.start).line}`;
    throw new AppError(
      "config",
      `${where}: ${formatPath(path)} cannot be changed by the program in this file`,
      {
        hint: `edit the file by hand: ${formatPath(path)} = ${value === undefined ? "(remove)" : tomlLiteral(value)}`,
      },
    );
  }
  return edited;
}

/** A value as TOML on one line. */
export function tomlLiteral(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  if (Array.isArray(value)) return `[${value.map(tomlLiteral).join(", ")}]`;
  if (value instanceof Date) return value.toISOString();
  if (!isTable(value)) return String(value);
  const pairs = Object.entries(value).filter(([, item]) => item !== undefined);
  if (pairs.length === 0) return "{}";
  return `{ ${pairs.map(([key, item]) => `${formatPath([key])} = ${tomlLiteral(item)}`).join(", ")} }`;
}

function inserted(text: string, path: readonly string[], value: unknown): string {
  const entries = scanToml(text);
  const values = entries.filter(({ kind }) => kind === "value");
  const exact = values.find((entry) => samePath(entry.path, path));
  if (exact !== undefined) return replaced(text, exact, tomlLiteral(value));
  const around = values.find((entry) => entry.path.length < path.length && startsWith(path, entry.path));
  if (around !== undefined) {
    const inline = valueAt(parseToml(text, ""), around.path);
    const inner = tableWith(path.slice(around.path.length), value);
    return replaced(text, around, tomlLiteral(mergeTables(isTable(inline) ? inline : emptyTable(), inner)));
  }
  if (isTable(value)) return withSection(text, path, Object.entries(value));
  const parent = path.slice(0, -1);
  const key = path.slice(-1);
  const neighbour = values.findLast((entry) => samePath(entry.path.slice(0, -1), parent));
  if (neighbour !== undefined) {
    const section = sectionOf(entries, neighbour);
    return withLine(text, neighbour.end, path.slice(section.length), value);
  }
  const header = entries.find((entry) => entry.kind === "table" && samePath(entry.path, parent));
  if (header !== undefined) return withLine(text, header.end, key, value);
  if (parent.length > 0) return withSection(text, parent, [[key[0] ?? "", value]]);
  return `${formatPath(key)} = ${tomlLiteral(value)}${lineEnd(text)}${text}`;
}

/** Takes out every line that says something at or below `path`; comments stay. */
function removed(text: string, path: readonly string[]): string {
  const entries = scanToml(text);
  const around = entries.find(
    ({ kind, path: of }) => kind === "value" && of.length < path.length && startsWith(path, of),
  );
  if (around !== undefined) {
    const inline = valueAt(parseToml(text, ""), around.path);
    if (!isTable(inline)) return text;
    return replaced(text, around, tomlLiteral(without(inline, path.slice(around.path.length))));
  }
  return entries
    .filter((entry) => startsWith(entry.path, path))
    .reverse()
    .reduce(
      (rest, { start, end }) => rest.slice(0, lineStart(rest, start)) + rest.slice(nextLine(rest, end)),
      text,
    );
}

function replaced(text: string, entry: TomlEntry, literal: string): string {
  return text.slice(0, entry.valueStart) + literal + text.slice(entry.end);
}

/** Adds `key = value` on the line after the one that `after` lies on. */
function withLine(text: string, after: number, key: readonly string[], value: unknown): string {
  const at = nextLine(text, after);
  const separator = at > 0 && text[at - 1] !== "\n" ? lineEnd(text) : "";
  return `${text.slice(0, at)}${separator}${formatPath(key)} = ${tomlLiteral(value)}${lineEnd(text)}${text.slice(at)}`;
}

function withSection(
  text: string,
  path: readonly string[],
  pairs: readonly (readonly [string, unknown])[],
): string {
  const end = lineEnd(text);
  const given = pairs.filter(([, value]) => value !== undefined);
  const lines = [
    `[${formatPath(path)}]`,
    ...given.map(([key, value]) => `${formatPath([key])} = ${tomlLiteral(value)}`),
  ];
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? end : end + end;
  return `${text}${gap}${lines.join(end)}${end}`;
}

/** The path of the header that `entry` stands under. */
function sectionOf(entries: readonly TomlEntry[], entry: TomlEntry): readonly string[] {
  return entries.findLast(({ kind, start }) => kind !== "value" && start < entry.start)?.path ?? [];
}

/** Tables without content are left out: removing the last key may or may not leave its header behind. */
function pruned(value: unknown): unknown {
  if (!isTable(value)) return value;
  const kept = Object.entries(value)
    .map(([key, item]) => [key, pruned(item)] as const)
    .filter(([, item]) => item !== undefined && !(isTable(item) && Object.keys(item).length === 0));
  return Object.fromEntries(kept);
}

function parseOrEmpty(text: string): TomlTable {
  try {
    return parseToml(text, "");
  } catch {
    return emptyTable();
  }
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function nextLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}
