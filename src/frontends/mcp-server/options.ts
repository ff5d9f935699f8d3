import { RUN_OPTIONS } from "../../config/flags.ts";
import { NAME } from "../../util/package.ts";

export const MCP_SERVER_COMMAND = {
  name: `${NAME} mcp-server`,
  summary: "Serves the agent as a tool server (MCP) over stdin and stdout",
  options: RUN_OPTIONS.filter(({ long }) =>
    ["config", "enable", "disable", "model", "profile", "sandbox", "ask-for-approval", "harness"].includes(
      long,
    ),
  ),
  positionals: [],
  notes: `Started by another program, not by a person. Its tools are ${NAME} and ${NAME}-reply; codex and codex-reply are the same. Approvals are asked of the client.`,
} as const;
