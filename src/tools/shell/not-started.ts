import { shellQuote } from "../../util/shell-quote.ts";
import type { ToolResult } from "../types.ts";
import type { CommandRequest } from "./launch.ts";

/** The result of a command that never ran: exit code -1, the reason as its output. */
export function notStarted({ argv, cwd }: CommandRequest, text: string): ToolResult {
  return {
    ok: false,
    content: [{ type: "input_text", text }],
    fields: { output: text, exitCode: -1 },
    detail: { kind: "command", command: shellQuote(argv), cwd, exitCode: -1, output: text, durationMs: 0 },
  };
}
