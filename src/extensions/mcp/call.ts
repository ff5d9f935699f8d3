import type { McpDetail } from "../../protocol/details.ts";
import type { PreparedCall } from "../../tools/types.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import type { McpClients, McpTool } from "./clients.ts";
import { modelContent } from "./result.ts";

/** A model's call of an MCP tool, ready for policy. What it touches is out of our sight, so it declares nothing. */
export function prepareMcpCall(
  clients: Pick<McpClients, "call">,
  { server, tool }: Pick<McpTool, "server" | "tool">,
  input: unknown,
): PreparedCall {
  const shown: McpDetail = { kind: "mcp", server: server || "resources", tool, input };
  return {
    access: {},
    subject: { kind: "mcp", server: shown.server, tool, input },
    shown,
    async run(ctx) {
      const onProgress = (text: string) => ctx.item.delta(`${terminalSafe(text)}\n`);
      const outcome = await clients.call({ server, tool, input, onProgress }, ctx.signal);
      const content = modelContent(outcome, { images: ctx.images });
      if ("error" in outcome) return { ok: false, content, detail: { ...shown, error: outcome.error } };
      return {
        ok: outcome.result.isError !== true,
        content,
        detail: { ...shown, result: outcome.result },
      };
    },
  };
}
