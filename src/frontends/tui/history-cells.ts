import { isContextFragment } from "../../core/prompt-context/fragments.ts";
import { type Item, type Part, type ToolCall, type ToolResultItem, textOf } from "../../protocol/items.ts";
import type { Cell } from "./transcript-entry.ts";

/** What was said before, as cells. The record has what the model saw, so that tools are shown by their calls. */
export function historyCells(history: readonly Item[]): Cell[] {
  const results = new Map<string, ToolResultItem>();
  for (const item of history) if (item.type === "tool_result") results.set(item.callId, item);
  return history.flatMap((item, i) => cellOf(item, `earlier-${i}`, results));
}

function cellOf(item: Item, id: string, results: ReadonlyMap<string, ToolResultItem>): Cell[] {
  if (item.type === "tool_call") return [callCell(item, id, results.get(item.callId))];
  if (item.type === "compaction")
    return [
      { kind: "notice", notice: { level: "info", text: "Earlier messages were replaced by a summary." } },
    ];
  if (item.type !== "message" || isContextFragment(item)) return [];
  if (item.role === "developer" || item.role === "system") return [];
  const text = item.role === "user" ? saidText(item.content) : textOf(item.content).trim();
  if (text === "") return [];
  if (item.role === "user") return [{ kind: "user", text }];
  return [{ kind: "item", item: { id, type: "agent_message", text } }];
}

/** Each part on lines of its own; of a message without words, its pictures. */
function saidText(content: readonly Part[]): string {
  const texts = content.flatMap((part) => (part.type === "input_image" ? [] : [part.text.trim()]));
  const text = texts.filter((part) => part !== "").join("\n");
  if (text !== "") return text;
  const pictures = content.filter(({ type }) => type === "input_image");
  return pictures.map((_, i) => `[Image #${i + 1}]`).join(" ");
}

function callCell(call: ToolCall, id: string, result: ToolResultItem | undefined): Cell {
  const output = result === undefined ? "" : textOf(result.content);
  const status = result === undefined || result.ok ? "completed" : "failed";
  const item = {
    id,
    type: "command_execution",
    command: titleOf(call),
    cwd: "",
    output,
    durationMs: 0,
    status,
  } as const;
  return { kind: "item", item };
}

/** The command line of a call that has one, else the tool with its arguments. */
function titleOf({ name, input }: ToolCall): string {
  if (input.kind === "text") return name;
  try {
    const value: unknown = JSON.parse(input.raw);
    if (typeof value !== "object" || value === null) return name;
    const command = "cmd" in value ? value.cmd : "command" in value ? value.command : undefined;
    if (typeof command === "string") return command;
    if (Array.isArray(command)) return command.join(" ");
    return `${name} ${input.raw}`;
  } catch {
    return name;
  }
}
