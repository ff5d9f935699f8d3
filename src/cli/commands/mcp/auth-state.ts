import { mcpTokensFile } from "../../../core/session/mcp-servers.ts";
import { TokenFile } from "../../../extensions/mcp/tokens.ts";
import type { Configured } from "./configured.ts";

/** How we are known to a server. `unsupported`: a program, which nobody signs in to. */
export type Auth = "unsupported" | "not_logged_in" | "bearer_token" | "o_auth";

export async function authOf({ config, servers }: Configured): Promise<Map<string, Auth>> {
  const tokens = new TokenFile(mcpTokensFile(config));
  const states = [...servers].map(async ([name, { values }]): Promise<[string, Auth]> => {
    if (values.url === undefined) return [name, "unsupported"];
    if (values.bearer_token_env_var !== undefined) return [name, "bearer_token"];
    return [name, (await tokens.read(values.url)) === undefined ? "not_logged_in" : "o_auth"];
  });
  return new Map(await Promise.all(states));
}
