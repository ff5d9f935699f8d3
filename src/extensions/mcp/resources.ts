import { z } from "zod";
import type { WireTool } from "../../model/types.ts";
import type { McpResult } from "../../protocol/details.ts";
import { isRecord } from "../../util/json.ts";
import { listAll, listPage } from "./listing.ts";
import type { McpServer } from "./server.ts";

const READ_TIMEOUT_MS = 60_000;

const ListInput = z.looseObject({ server: z.string().nullish(), cursor: z.string().nullish() });
const ReadInput = z.looseObject({ server: z.string().min(1), uri: z.string().min(1) });
const ReadAnswer = z.looseObject({
  contents: z.array(z.looseObject({ blob: z.string().optional() })).default([]),
});

/** Tools of our own that read what servers offer besides tools. */
export const RESOURCE_TOOLS: readonly WireTool[] = [
  listTool("list_mcp_resources", "Lists what MCP servers offer for reading: files, records, pages."),
  listTool("list_mcp_resource_templates", "Lists address patterns of resources that MCP servers fill in."),
  {
    kind: "function",
    name: "read_mcp_resource",
    description: "Reads one resource of an MCP server.",
    parameters: {
      type: "object",
      properties: {
        server: { type: "string", description: "Name of the server, as the lists give it." },
        uri: { type: "string", description: "Address of the resource, as the lists give it." },
      },
      required: ["server", "uri"],
      additionalProperties: false,
    },
    strict: false,
  },
];

function listTool(name: string, what: string): WireTool {
  return {
    kind: "function",
    name,
    description: `${what} Without a server: of all of them.`,
    parameters: {
      type: "object",
      properties: {
        server: { type: "string", description: "Name of one server." },
        cursor: {
          type: "string",
          description: "The nextCursor of the answer to go on from; needs a server.",
        },
      },
      additionalProperties: false,
    },
    strict: false,
  };
}

type Servers = ReadonlyMap<string, McpServer>;

/** Runs one of `RESOURCE_TOOLS`. Rejects with the reason in words. */
export async function useResources(
  tool: string,
  input: Record<string, unknown>,
  servers: Servers,
  signal: AbortSignal,
): Promise<McpResult> {
  switch (tool) {
    case "list_mcp_resources":
      return structured(await list({ method: "resources/list", key: "resources" }, input, servers, signal));
    case "list_mcp_resource_templates":
      return structured(
        await list({ method: "resources/templates/list", key: "resourceTemplates" }, input, servers, signal),
      );
    case "read_mcp_resource":
      return structured(await read(input, servers, signal));
    default:
      throw new Error(`unknown tool ${tool}`);
  }
}

async function list(
  { method, key }: { method: string; key: string },
  input: Record<string, unknown>,
  servers: Servers,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { server: name, cursor } = parse(ListInput, input);
  if (name) {
    const connection = await serverNamed(servers, name).connection(signal);
    const page = await listPage(connection, { method, key, cursor: cursor || undefined }, signal);
    const next = page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor };
    return { server: name, [key]: page.entries, ...next };
  }
  const offering = [...servers.values()].filter(({ hasResources }) => hasResources);
  const lists = offering.map(async (server) => {
    const connection = await server.connection(signal);
    const { entries } = await listAll(connection, method, key, signal);
    return entries.map((entry) => ({ server: server.name, ...(isRecord(entry) ? entry : {}) }));
  });
  return { [key]: (await Promise.all(lists)).flat() };
}

async function read(
  input: Record<string, unknown>,
  servers: Servers,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { server, uri } = parse(ReadInput, input);
  const connection = await serverNamed(servers, server).connection(signal);
  const { contents } = await connection.request(
    { method: "resources/read", params: { uri }, schema: ReadAnswer, timeoutMs: READ_TIMEOUT_MS },
    signal,
  );
  return { server, uri, contents: contents.map(withoutBytes) };
}

function withoutBytes({ blob, ...content }: { blob?: string | undefined }): Record<string, unknown> {
  if (blob === undefined) return content;
  return { ...content, blob: `${Buffer.byteLength(blob, "base64")} bytes, left out` };
}

function serverNamed(servers: Servers, name: string): McpServer {
  const server = servers.get(name);
  if (server !== undefined) return server;
  throw new Error(`there is no MCP server "${name}"; known: ${[...servers.keys()].join(", ")}`);
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Error(`wrong arguments: ${z.prettifyError(parsed.error)}`);
}

function structured(value: Record<string, unknown>): McpResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}
