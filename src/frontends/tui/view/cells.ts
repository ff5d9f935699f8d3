import type { ThreadItem } from "../../../protocol/events.ts";
import { agentRows } from "./agent-cell.ts";
import type { CellOptions } from "./cell-options.ts";
import { titleRow } from "./cell-title.ts";
import { commandRows } from "./command-cell.ts";
import { diffRows } from "./diff.ts";
import { durationText } from "./duration.ts";
import { explorationRows, isExploring } from "./exploration.ts";
import { MarkdownStream } from "./markdown.ts";
import { mcpRows } from "./mcp-cell.ts";
import { planRows } from "./plan-cell.ts";
import { fit, hang, indent, safe, safeLine } from "./text.ts";
import type { Theme } from "./theme.ts";

/** An answer is set in by this much. */
const MARGIN = "  ";

/** The rows of one item of the transcript. */
export function cellRows(item: ThreadItem, given: CellOptions): string[] {
  const options = item.agent === undefined ? given : { ...given, agent: item.agent };
  const { width, theme, isRunning, isExpanded } = options;
  switch (item.type) {
    case "agent_message":
      return indent(markdownRows(item.text, width - MARGIN.length, theme), MARGIN);
    case "reasoning":
      return reasoningRows(item.text, options);
    case "command_execution":
      return isExploring(item) && !isExpanded ? explorationRows([item], options) : commandRows(item, options);
    case "file_change":
      return item.changes.flatMap((change) => diffRows(change, options, item.status));
    case "mcp_tool_call":
      return mcpRows(item, options);
    case "web_search": {
      const text = `${isRunning ? "Searching" : "Searched"} the web: ${safeLine(item.query)}`;
      return [titleRow({ text }, options)];
    }
    case "agent_call":
      return agentRows(item, options);
    case "todo_list":
      return planRows(item.steps, options);
    case "error":
      return hang(safe(item.message), width, `${theme.marks.failed} `).map((row) => theme.error(row));
  }
}

export function markdownRows(text: string, width: number, theme: Theme): string[] {
  const stream = new MarkdownStream();
  stream.push(text);
  return stream.end(width, theme);
}

/** One dim row with what it was about; whole when it is expanded. */
function reasoningRows(text: string, options: CellOptions): string[] {
  const { width, theme, isRunning, isExpanded, tookMs = 0 } = options;
  if (text.trim() === "") return [];
  if (isExpanded) {
    const rows = indent(markdownRows(text, width - MARGIN.length, theme), MARGIN);
    return rows.map((row) => theme.dim(Bun.stripANSI(row)));
  }
  const titles = [...text.matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, title = ""]) => title);
  const title = (isRunning ? titles.at(-1) : titles[0]) ?? text.trim().split("\n")[0] ?? "";
  const row = `${MARGIN}${isRunning ? "Thinking" : "Thought"}: ${safeLine(title)}`;
  return [theme.dim(fit(row, !isRunning && tookMs >= 1000 ? durationText(tookMs) : "", width))];
}

/** What the user said. */
export function userRows(text: string, width: number, theme: Theme): string[] {
  return hang(safe(text).trimEnd(), width - 1, `${theme.marks.prompt} `).map((row, i) =>
    i === 0 ? `${theme.marks.prompt}${theme.user(row.slice(theme.marks.prompt.length))}` : theme.user(row),
  );
}
