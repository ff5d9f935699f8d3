import { isOwnCommand } from "../../protocol/own-command.ts";
import { scriptOf } from "../../util/shown-command.ts";
import type { Cell, Entry } from "./transcript-entry.ts";
import { cellRows, userRows } from "./view/cells.ts";
import { type CommandItem, commandRows } from "./view/command-cell.ts";
import { countText, durationText } from "./view/duration.ts";
import { approvalAfterRows, noticeRows } from "./view/notices.ts";
import { foldText } from "./view/output.ts";
import { fit } from "./view/text.ts";
import type { Theme } from "./view/theme.ts";

type RowOptions = { width: number; theme: Theme; isExpanded: boolean };

/** The rows of one cell. */
export function entryRows(
  { cell, isRunning, tookMs = 0 }: Pick<Entry, "cell" | "isRunning" | "tookMs">,
  options: RowOptions,
): string[] {
  const { width, theme } = options;
  switch (cell.kind) {
    case "user":
      return userRows(cell.text, width, theme);
    case "item":
      if (cell.item.type === "command_execution" && isOwnCommand(cell.item.id) && !options.isExpanded)
        return ownCommandRows(cell.item, { ...options, isRunning });
      return cellRows(cell.item, { ...options, isRunning, tookMs });
    case "notice":
      return noticeRows(cell.notice, width, theme);
    case "approval":
      return approvalAfterRows(cell.request, cell.decision, subjectOf(cell), options);
    case "turn_end": {
      const { durationMs, outputTokens } = cell;
      const tokens = outputTokens > 0 ? ` ${theme.marks.dot} ${countText(outputTokens)} tok` : "";
      return [fit("", theme.dim(`${durationText(durationMs)}${tokens}`), width - 1)];
    }
  }
}

const OWN_HEAD = 10;
const OWN_TAIL = 40;

/** A command of the user's own shows more of its output. */
function ownCommandRows(item: CommandItem, options: RowOptions & { isRunning: boolean }): string[] {
  const lines = item.output.trimEnd().split("\n");
  const hidden = lines.length - OWN_HEAD - OWN_TAIL;
  const fold = foldText(hidden, "lines", options.theme.marks);
  const shown = hidden > 1 ? [...lines.slice(0, OWN_HEAD), fold, ...lines.slice(-OWN_TAIL)] : lines;
  return commandRows({ ...item, output: shown.join("\n") }, { ...options, isExpanded: true });
}

/** Cells of one kind of work stand together; anything else is set off by an empty row. */
export function gapBetween(before: Cell | undefined, cell: Cell): string[] {
  if (cell.kind === "turn_end") return [];
  if (before === undefined) return [""];
  if (isWork(before) && isWork(cell)) return [];
  return [""];
}

function isWork(cell: Cell): boolean {
  if (cell.kind === "approval") return true;
  return cell.kind === "item" && cell.item.type !== "agent_message" && cell.item.type !== "reasoning";
}

function subjectOf({ request }: Extract<Cell, { kind: "approval" }>): string {
  switch (request.kind) {
    case "command":
      return scriptOf(request.argv);
    case "patch":
      return request.changes.map(({ path }) => path).join(", ");
    case "permissions":
      return (request.access.writes ?? request.access.reads ?? []).join(", ");
    case "mcp":
      return `${request.server}.${request.tool}`;
  }
}
