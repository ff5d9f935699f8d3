import type { ThreadItem } from "../../../protocol/events.ts";
import { commandRows } from "./command-cell.ts";
import { diffRows } from "./diff.ts";
import { MarkdownStream } from "./markdown.ts";
import { fit, indent, safe, wrap } from "./text.ts";
import type { Theme } from "./theme.ts";

export type CellOptions = {
  width: number;
  theme: Theme;
  isRunning: boolean;
  /** Nothing is folded: the transcript. */
  isExpanded: boolean;
};

/** The rows of one item of the transcript. */
export function cellRows(item: ThreadItem, options: CellOptions): string[] {
  const { width, theme, isRunning, isExpanded } = options;
  const { marks } = theme;
  switch (item.type) {
    case "agent_message":
      return indent(markdownRows(item.text, Math.max(1, width - 2), theme), "  ");
    case "reasoning":
      return reasoningRows(item.text, options);
    case "command_execution":
      return commandRows(item, options);
    case "file_change":
      return item.changes.flatMap((change) => diffRows(change, options));
    case "mcp_tool_call": {
      const word = isRunning ? "Calling" : "Called";
      const title = `${marks.bullet} ${word} ${safe(item.server)}.${safe(item.tool)}`;
      return [
        fit(title, item.status === "failed" ? theme.error("failed") : "", width),
        ...(item.error === undefined ? [] : indent(wrap(safe(item.error), width - 4), "    ")),
      ];
    }
    case "web_search":
      return [fit(`${marks.bullet} ${isRunning ? "Searching" : "Searched"} ${safe(item.query)}`, "", width)];
    case "todo_list": {
      const done = item.steps.filter(({ status }) => status === "completed").length;
      const signs = { completed: marks.ok, in_progress: theme.accent("▸"), pending: marks.dot };
      const rows = item.steps.flatMap(({ text, status }) =>
        wrap(safe(text), Math.max(1, width - 6)).map(
          (row, i) => `    ${i === 0 ? `${signs[status]} ` : "  "}${row}`,
        ),
      );
      return [
        `${marks.bullet} Plan ${done}/${item.steps.length}`,
        ...(isExpanded || rows.length < 20 ? rows : rows.slice(0, 20)),
      ];
    }
    case "error":
      return wrap(`${marks.failed} ${safe(item.message)}`, width).map((row) => theme.error(row));
  }
}

export function markdownRows(text: string, width: number, theme: Theme): string[] {
  const stream = new MarkdownStream();
  stream.push(text);
  return stream.end(width, theme);
}

function reasoningRows(text: string, { width, theme, isExpanded }: CellOptions): string[] {
  if (isExpanded) return indent(markdownRows(text, width - 2, theme), "  ").map((row) => theme.dim(row));
  const title = /\*\*([^*\n]+)\*\*/.exec(text)?.[1] ?? text.trim().split("\n")[0] ?? "";
  return [theme.dim(fit(`  Thought: ${safe(title)}`, "", width))];
}

/** What the user said. */
export function userRows(text: string, width: number, theme: Theme): string[] {
  const rows = safe(text)
    .split("\n")
    .flatMap((line) => wrap(line, Math.max(1, width - 2)));
  return rows.map((row, i) => `${i === 0 ? `${theme.marks.prompt} ` : "  "}${theme.user(row)}`);
}
