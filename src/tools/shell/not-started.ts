import { shellQuote } from "../../util/shell-quote.ts";
import type { ToolResult } from "../types.ts";
import type { CommandRequest } from "./launch.ts";

/** The result of a command that never ran: exit code -1, the reason as its output. */
export function notStarted(
  { argv, cwd }: CommandRequest,
  text: string,
  fields: ToolResult["fields"] = {},
): ToolResult {
  return {
    ok: false,
    content: [{ type: "input_text", text }],
    fields: { ...fields, output: text, trimmed: text, exitCode: -1, wallTime: "0.000" },
    detail: { kind: "command", command: shellQuote(argv), cwd, exitCode: -1, output: text, durationMs: 0 },
  };
}
