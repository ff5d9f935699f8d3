import type { ThreadItem } from "../../../protocol/events.ts";
import type { CellOptions } from "./cell-options.ts";
import { titleRow } from "./cell-title.ts";
import { outputRows } from "./output.ts";
import { hang, safe, safeLine } from "./text.ts";

type McpItem = Extract<ThreadItem, { type: "mcp_tool_call" }>;

/** A call of a server's tool with its input, and what came back. */
export function mcpRows(item: McpItem, options: CellOptions): string[] {
  const { width, theme, isRunning } = options;
  const input = inputText(item.input);
  const hasFailed = item.status === "failed" || item.status === "declined" || item.error !== undefined;
  const name = `${safeLine(item.server)}.${safeLine(item.tool)}`;
  const title = {
    text: `${isRunning ? "Calling" : "Called"} ${name}${input === "" ? "" : ` ${theme.dim(input)}`}`,
    facts: hasFailed ? [item.status === "declined" ? "declined" : "failed"] : [],
    hasFailed,
  };
  const error = item.error === undefined ? [] : hang(safe(item.error), width, "    ");
  return [
    titleRow(title, options),
    ...error.map((row) => theme.error(row)),
    ...outputRows(resultText(item).split("\n"), options),
  ];
}

function inputText(input: unknown): string {
  const text = input === undefined || input === null ? "" : (JSON.stringify(input) ?? "");
  return text === "{}" ? "" : safeLine(text);
}

/** The text blocks of the result; of others, what they are. */
function resultText({ result }: McpItem): string {
  return (result?.content ?? []).map(blockText).join("\n");
}

function blockText(block: unknown): string {
  if (typeof block !== "object" || block === null) return String(block);
  if ("text" in block && typeof block.text === "string") return block.text;
  return "type" in block && typeof block.type === "string" ? `[${block.type}]` : "";
}
