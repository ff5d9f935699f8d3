import type { ThreadItem } from "../../../protocol/events.ts";
import type { CellOptions } from "./cells.ts";
import { durationText } from "./duration.ts";
import { fit, indent, safe, wrap } from "./text.ts";

type CommandItem = Extract<ThreadItem, { type: "command_execution" }>;

const HEAD = 2;
const TAIL = 3;

/** A command with the first and the last lines of its output. */
export function commandRows(
  item: CommandItem,
  { width, theme, isRunning, isExpanded }: CellOptions,
): string[] {
  const { marks } = theme;
  const hasFailed = item.status === "failed" || (item.exitCode !== undefined && item.exitCode !== 0);
  const bullet = hasFailed ? theme.error(marks.bullet) : marks.bullet;
  const title = `${bullet} ${isRunning ? "Running" : "Ran"} ${oneLine(shownCommand(item.command))}`;
  const facts = [
    item.status === "declined" ? "declined" : undefined,
    item.exitCode === undefined || item.exitCode === 0 ? undefined : `exit ${item.exitCode}`,
    !isRunning && item.durationMs >= 1000 ? durationText(item.durationMs) : undefined,
  ].filter((one) => one !== undefined);
  const lines = meaningful(item.output);
  const shown = isExpanded ? lines : folded(lines, `ctrl+t`, marks.more);
  const rows = shown.flatMap((line) =>
    isExpanded ? wrap(line, Math.max(1, width - 4)) : [Bun.sliceAnsi(line, 0, Math.max(1, width - 4))],
  );
  return [
    fit(title, theme.dim(facts.join(` ${marks.dot} `)), width),
    ...indent(
      rows.map((row) => theme.dim(row)),
      "    ",
    ),
  ];
}

function folded(lines: readonly string[], key: string, more: string): string[] {
  const hidden = lines.length - HEAD - TAIL;
  if (hidden <= 1) return [...lines];
  return [...lines.slice(0, HEAD), `${more} +${hidden} lines · ${key}`, ...lines.slice(-TAIL)];
}

/** Lines of output; of a progress bar, its last state. */
function meaningful(output: string): string[] {
  const lines = output
    .split(/\r?\n/)
    .map((line) => safe(line.slice(line.lastIndexOf("\r") + 1)))
    .map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The script of `bash -lc '…'`; anything else as it is. */
export function shownCommand(command: string): string {
  const script = /^\S*?(?:ba|z|da)?sh -l?c '([\s\S]*)'$/.exec(command)?.[1];
  return script === undefined ? command : script.replaceAll(`'\\''`, "'").replaceAll(`'"'"'`, "'");
}

function oneLine(text: string): string {
  return safe(text)
    .trim()
    .replace(/\s*\n\s*/g, " ⏎ ");
}
