import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import type { Override } from "../../config/overrides.ts";
import { invalidParams } from "./errors.ts";

/** The client's servers as settings; one with the name of a configured server stands in its place. */
export function serverOverrides(servers: readonly McpServer[]): Override[] {
  return servers.map((server) => ({
    path: ["mcp_servers", server.name],
    option: "the client's MCP servers",
    set: tableOf(server),
  }));
}

function tableOf(server: McpServer): Record<string, unknown> {
  if (!("type" in server)) {
    const { command, args, env } = server;
    return { command, args, env: Object.fromEntries(env.map(({ name, value }) => [name, value])) };
  }
  if (server.type !== "http" && server.type !== "sse")
    throw invalidParams(
      `the MCP server ${server.name} has the type ${server.type}; stdio, http and sse are supported`,
    );
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  return {
    url: server.url,
    ...(server.type === "sse" ? { transport: server.type } : {}),
    ...(server.headers.length > 0 ? { http_headers: headers } : {}),
  };
}
