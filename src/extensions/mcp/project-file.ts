import { join } from "node:path";
import { z } from "zod";
import type { LoadedConfig } from "../../config/load.ts";
import { McpServerShape, type McpServerValues } from "../../config/schema-mcp.ts";
import type { Problem } from "../../config/shape.ts";
import { toAppError } from "../../util/errors.ts";
import { codeOf, factsOf, requireOrdinaryText } from "../../util/fs.ts";
import type { Environment } from "./child-env.ts";

export const PROJECT_FILE = ".mcp.json";

export type ConfiguredServer = { values: McpServerValues; source: "config.toml" | typeof PROJECT_FILE };
type ProjectInfo = Pick<LoadedConfig, "values" | "projectRoot" | "trust">;

/** Is there a file of the project that would count if it were trusted? */
export function hasProjectFile({ projectRoot }: Pick<LoadedConfig, "projectRoot">): boolean {
  return factsOf(join(projectRoot, PROJECT_FILE))?.isFile() === true;
}

/**
 * The servers of `config.toml`, and below them those of the `.mcp.json` that other agents share in a project, when the
 * user trusts it. A fault of that file is a warning: it is often not the user's own.
 */
export async function configuredServers(
  config: ProjectInfo,
  env: Environment,
): Promise<{ servers: Map<string, ConfiguredServer>; warnings: string[] }> {
  const own = Object.entries(config.values.mcp_servers);
  const servers = new Map(
    own.map(([name, values]): [string, ConfiguredServer] => [name, { values, source: "config.toml" }]),
  );
  if (config.trust !== "trusted" || !hasProjectFile(config)) return { servers, warnings: [] };
  const { entries, warnings } = await readProjectFile(join(config.projectRoot, PROJECT_FILE), env);
  for (const [name, values] of entries)
    if (!servers.has(name)) servers.set(name, { values, source: PROJECT_FILE });
  return { servers, warnings };
}

/** Bytes. */
const LONGEST_FILE = 2 ** 20;

const File = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).default({}) });
const Entry = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

async function readProjectFile(
  file: string,
  env: Environment,
): Promise<{ entries: [string, McpServerValues][]; warnings: string[] }> {
  const entries: [string, McpServerValues][] = [];
  const warnings: string[] = [];
  let found: Record<string, unknown> = {};
  try {
    found = File.parse(JSON.parse(await requireOrdinaryText(file, LONGEST_FILE))).mcpServers;
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : toAppError(cause).message;
    warnings.push(`${file} is ignored: ${codeOf(cause) ?? why}`);
  }
  for (const [name, raw] of Object.entries(found)) {
    const read = readEntry(raw, env);
    if ("values" in read) entries.push([name, read.values]);
    else warnings.push(`${file}: the server ${name} is ignored: ${read.problem}`);
  }
  return { entries, warnings };
}

function readEntry(raw: unknown, env: Environment): { values: McpServerValues } | { problem: string } {
  const { data: entry, error } = Entry.safeParse(raw);
  if (entry === undefined) return { problem: z.prettifyError(error) };
  const missing = new Set<string>();
  const fill = (text: string) => expanded(text, env, missing);
  const { command, url } = entry;
  const table =
    command === undefined
      ? {
          url: url && fill(url),
          transport: entry.type === "sse" ? "sse" : undefined,
          http_headers: entry.headers && mapped(entry.headers, fill),
        }
      : {
          command: fill(command),
          args: entry.args?.map(fill),
          env: entry.env && mapped(entry.env, fill),
          cwd: entry.cwd && fill(entry.cwd),
        };
  if (missing.size > 0) return { problem: `these variables are not set: ${[...missing].join(", ")}` };
  const problems: Problem[] = [];
  const given = Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));
  const values = McpServerShape.read(given, [], problems);
  const fault = problems.find(({ kind }) => kind === "fault");
  if (values === undefined || fault !== undefined) return { problem: fault?.message ?? "it is not a server" };
  return { values };
}

/** `${NAME}` and `${NAME:-otherwise}` stand for variables. */
function expanded(text: string, env: Environment, missing: Set<string>): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, otherwise: string | undefined) => {
    const value = env[name] || otherwise;
    if (value === undefined) missing.add(name);
    return value ?? "";
  });
}

function mapped(record: Record<string, string>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
