import type { ThreadItem } from "../../../protocol/events.ts";
import { shownCommand } from "../../../util/shown-command.ts";
import type { CellOptions } from "./cell-options.ts";
import { titleRow } from "./cell-title.ts";
import { durationText } from "./duration.ts";
import { meaningfulLines, outputRows } from "./output.ts";
import { hang, safe } from "./text.ts";

export type CommandItem = Extract<ThreadItem, { type: "command_execution" }>;

/** A command with the first and the last lines of its output. */
export function commandRows(item: CommandItem, options: CellOptions): string[] {
  const { width, theme, isRunning, isExpanded } = options;
  const { command, status, output } = item;
  const script = safe(shownCommand(command)).trim();
  const [first = "", ...more] = script.split("\n");
  const shown = isExpanded ? first : script.replace(/\s*\n\s*/g, ` ${theme.marks.newline} `);
  const title = {
    text: `${isRunning ? "Running" : "Ran"} ${shown}`,
    facts: outcomeOf(item, isRunning),
    hasFailed: status === "failed" || status === "declined" || (item.exitCode ?? 0) !== 0,
  };
  const rest = isExpanded ? more.flatMap((line) => hang(line, width, "      ")) : [];
  return [titleRow(title, options), ...rest, ...outputRows(meaningfulLines(output), options)];
}

/** How it ended, in words: `exit 1`, `2.3s`. */
export function outcomeOf({ status, exitCode, durationMs }: CommandItem, isRunning: boolean): string[] {
  const facts: string[] = [];
  if (status === "declined") facts.push("declined");
  else if (exitCode === -1) facts.push("did not start");
  else if (exitCode !== undefined && exitCode !== 0) facts.push(`exit ${exitCode}`);
  else if (status === "failed") facts.push("failed");
  if (!isRunning && durationMs >= 1000) facts.push(durationText(durationMs));
  return facts;
}
