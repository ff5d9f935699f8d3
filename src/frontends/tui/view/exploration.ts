import { basename } from "node:path";
import { shownCommand } from "../../../util/shown-command.ts";
import type { CellOptions } from "./cell-options.ts";
import { titleRow } from "./cell-title.ts";
import type { CommandItem } from "./command-cell.ts";
import { durationText } from "./duration.ts";
import { safeLine } from "./text.ts";

/** What a command that only looks has looked at. */
type Look = { verb: "read" | "list" | "search"; what: string };

const WORDS = {
  read: ["Reading", "Read"],
  list: ["Listing", "Listed"],
  search: ["Searching", "Searched"],
} as const;

/** Does this command only read, list or search, and has it not failed? Those that follow each other can share a row. */
export function isExploring(item: CommandItem): boolean {
  return item.status !== "declined" && (item.exitCode ?? 0) === 0 && looksOf(item).length > 0;
}

/** One row for commands that `isExploring`: `Read a.ts, b.ts · Searched "x"`. */
export function explorationRows(items: readonly CommandItem[], options: CellOptions): string[] {
  const { isRunning, theme } = options;
  const separator = ` ${theme.marks.dot} `;
  const looks = items.flatMap(looksOf);
  const parts = Map.groupBy(looks, ({ verb }) => verb);
  const text = [...parts].map(([verb, group]) => {
    const names = [...new Set(group.map(({ what }) => what))];
    const shown = verb === "read" ? shortNames(names) : names;
    return `${WORDS[verb][isRunning ? 0 : 1]} ${shown.join(", ")}`;
  });
  const files = new Set(parts.get("read")?.map(({ what }) => what)).size;
  const durationMs = items.reduce((sum, item) => sum + item.durationMs, 0);
  const count = files > 1 ? [`${files} files`] : [];
  const time = !isRunning && durationMs >= 1000 ? [durationText(durationMs)] : [];
  return [titleRow({ text: text.join(separator), facts: [...count, ...time] }, options)];
}

/** Files without their folders, except where two have the same name. */
function shortNames(files: readonly string[]): string[] {
  const groups = Map.groupBy(files, (file) => basename(file));
  return files.map((file) => (groups.get(basename(file))?.length === 1 ? basename(file) : file));
}

/** Empty when any part of the command may do more than look. */
function looksOf({ command }: CommandItem): Look[] {
  const script = shownCommand(command).trim();
  if (/[\n`$<>(){}\\]|(?<!&)&(?!&)|\s(?:-o|--output|--pre)\b/.test(script)) return [];
  const looks: Look[] = [];
  for (const step of script.split(/\s*(?:&&|\|\||;)\s*/)) {
    const [first = "", ...filters] = step.split(/\s*\|\s*/);
    if (!filters.every((filter) => /^(?:head|tail|wc|sort|uniq|cat|nl|grep|rg)\b/.test(filter))) return [];
    const found = looksOfStep(wordsOf(first));
    if (found === undefined) return [];
    looks.push(...found);
  }
  return looks;
}

/** Undefined when it may do more than look. */
function looksOfStep([program = "", ...words]: readonly string[]): Look[] | undefined {
  const names = words.filter((word) => !word.startsWith("-"));
  const last = names.at(-1);
  switch (program) {
    case "cd":
    case "pwd":
      return [];
    case "cat":
    case "nl":
    case "head":
    case "tail": {
      const files = names.filter((name) => !/^[+\d]+$/.test(name));
      if (files.length === 0 || words.includes("-f")) return undefined;
      return files.map((file) => ({ verb: "read", what: safeLine(file) }));
    }
    case "sed":
      if (words[0] !== "-n" || names.length !== 2 || !/^[\d,$]+p$/.test(names[0] ?? "")) return undefined;
      return [{ verb: "read", what: safeLine(last ?? "") }];
    case "ls":
    case "tree":
      return [{ verb: "list", what: safeLine(last ?? ".") }];
    case "rg":
    case "grep": {
      const [pattern, ...places] = names;
      if (pattern === undefined) return program === "rg" ? [{ verb: "list", what: "." }] : undefined;
      const place = places.length > 0 ? ` in ${places.join(", ")}` : "";
      return [{ verb: "search", what: safeLine(`"${pattern}"${place}`) }];
    }
    default:
      return undefined;
  }
}

function wordsOf(command: string): string[] {
  const words = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
}
