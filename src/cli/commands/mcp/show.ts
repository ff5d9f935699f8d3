import type { McpServerValues } from "../../../config/schema-mcp.ts";
import type { ConfiguredServer } from "../../../extensions/mcp/project-file.ts";
import { NAME } from "../../../util/package.ts";
import type { Auth } from "./auth-state.ts";

/** A server for programs. Values of variables and headers are in it, as they are in the file. */
export function asJson(
  name: string,
  { values, source }: ConfiguredServer,
  auth: Auth,
): Record<string, unknown> {
  return {
    name,
    enabled: values.enabled,
    source,
    transport: transport(values),
    enabled_tools: values.enabled_tools ?? null,
    disabled_tools: values.disabled_tools ?? null,
    startup_timeout_sec: values.startup_timeout_sec ?? null,
    tool_timeout_sec: values.tool_timeout_sec ?? null,
    auth_status: auth,
  };
}

function transport(values: McpServerValues): Record<string, unknown> {
  if (values.command === undefined)
    return {
      type: values.transport === "sse" ? "sse" : "streamable_http",
      url: values.url,
      bearer_token_env_var: values.bearer_token_env_var ?? null,
      http_headers: values.http_headers ?? null,
      env_http_headers: values.env_http_headers ?? null,
    };
  return {
    type: "stdio",
    command: values.command,
    args: values.args ?? [],
    env: values.env ?? null,
    env_vars: values.env_vars ?? [],
    cwd: values.cwd ?? null,
  };
}

const AUTH_TEXT = {
  unsupported: "-",
  not_logged_in: "not logged in",
  bearer_token: "bearer token",
  o_auth: "signed in",
} as const satisfies Record<Auth, string>;

export type Row = { name: string; server: ConfiguredServer; auth: Auth };

/** One line each: name, whether it is on, how we are known to it, and what it is. */
export function table(rows: readonly Row[]): string[] {
  const cells = rows.map(({ name, server: { values, source }, auth }) => {
    const origin = source === "config.toml" ? "" : ` (from ${source})`;
    return [name, values.enabled ? "enabled" : "disabled", AUTH_TEXT[auth], `${what(values)}${origin}`];
  });
  const width = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0));
  const widths = [width(0), width(1), width(2), 0];
  return cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}

function what({ command, args = [], url }: McpServerValues): string {
  return command === undefined ? (url ?? "") : [command, ...args].join(" ");
}

/** All that is set, with the values of variables and headers hidden: people show this to others. */
export function oneServer(name: string, { values, source }: ConfiguredServer, auth: Auth): string {
  const fields: [string, string | undefined][] = [
    ["enabled", String(values.enabled)],
    ["source", source],
    ...(values.command === undefined ? addressFields(values, auth) : programFields(values)),
    ["enabled_tools", values.enabled_tools?.join(", ")],
    ["disabled_tools", values.disabled_tools?.join(", ")],
    ["startup_timeout_sec", values.startup_timeout_sec?.toString()],
    ["tool_timeout_sec", values.tool_timeout_sec?.toString()],
    ["remove", source === "config.toml" ? `${NAME} mcp remove ${name}` : undefined],
  ];
  const lines = fields.flatMap(([key, value]) => (value === undefined ? [] : `  ${key}: ${value}\n`));
  return `${name}\n${lines.join("")}`;
}

function programFields(values: McpServerValues): [string, string | undefined][] {
  return [
    ["transport", "stdio"],
    ["command", values.command],
    ["args", values.args?.join(" ") || "-"],
    ["cwd", values.cwd ?? "-"],
    ["env", hidden(values.env)],
    ["env_vars", values.env_vars?.map((one) => (typeof one === "string" ? one : one.name)).join(", ")],
  ];
}

function addressFields(values: McpServerValues, auth: Auth): [string, string | undefined][] {
  return [
    ["transport", values.transport === "sse" ? "sse" : "streamable_http"],
    ["url", values.url],
    ["auth", AUTH_TEXT[auth]],
    ["bearer_token_env_var", values.bearer_token_env_var ?? "-"],
    ["http_headers", hidden(values.http_headers)],
    ["env_http_headers", values.env_http_headers && pairs(values.env_http_headers)],
  ];
}

function hidden(record: Readonly<Record<string, string>> | undefined): string {
  const names = Object.keys(record ?? {});
  return names.length === 0 ? "-" : names.map((key) => `${key}=*****`).join(", ");
}

function pairs(record: Readonly<Record<string, string>>): string {
  return Object.entries(record)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");
}
