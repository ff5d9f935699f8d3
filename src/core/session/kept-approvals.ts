import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { LoadedConfig } from "../../config/load.ts";
import { CONFIG_FILE } from "../../config/paths.ts";
import type { Approver } from "../../protocol/approvals.ts";
import { recordOf } from "../../util/json.ts";

/**
 * The same approver, whose yes to a tool of an MCP server may be for ever: it is written to the user's config.toml, beside the
 * server. That is offered where the server itself stands there: an entry for one that a project or an editor brought along
 * would be for whatever has its name later.
 */
export function keepingApprover(
  approver: Approver,
  config: Pick<LoadedConfig, "home" | "originOf">,
): Approver {
  const file = join(config.home, CONFIG_FILE);
  return {
    async ask(request, signal) {
      if (request.kind !== "mcp" || !(await isUsersOwn(request.server, file, config)))
        return approver.ask(request, signal);
      const decision = await approver.ask({ ...request, mayKeep: true }, signal);
      if (decision.decision !== "approved_always") return decision;
      const { setKey } = await import("../../config/edit.ts");
      const key = ["mcp_servers", request.server, "tools", request.tool, "approval_mode"];
      // A file that can't be written must not take the yes back; what is shown is what it is then.
      return await setKey(file, key, "approve").then(
        () => decision,
        () => ({ decision: "approved_for_session" as const }),
      );
    },
  };
}

async function isUsersOwn(
  server: string,
  file: string,
  { originOf }: Pick<LoadedConfig, "originOf">,
): Promise<boolean> {
  const isFromFile = ["command", "url"].some((key) => {
    const origin = originOf(`mcp_servers.${JSON.stringify(server)}.${key}`);
    return origin?.kind === "file" && origin.file === file;
  });
  if (!isFromFile) return false;
  // A profile's server stands in the same file, in another table.
  const { parseToml } = await import("../../config/toml.ts");
  try {
    const { mcp_servers: servers } = recordOf(parseToml(await readFile(await realpath(file), "utf8"), file));
    const table = recordOf(recordOf(servers)[server]);
    return table["command"] !== undefined || table["url"] !== undefined;
  } catch {
    return false;
  }
}
