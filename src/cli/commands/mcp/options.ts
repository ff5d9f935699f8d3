import { RUN_OPTIONS } from "../../../config/flags.ts";
import type { CommandSpec } from "../../../util/args.ts";
import { NAME } from "../../../util/package.ts";

const JSON_OPTION = { long: "json", summary: "Print JSON" } as const;
const CONFIG_OPTIONS = RUN_OPTIONS.filter(({ long }) => ["config", "profile"].includes(long));
const SERVER = { name: "NAME", summary: "Name of the server" } as const;

export const LIST = {
  name: `${NAME} mcp list`,
  summary: "Lists the configured servers",
  options: [
    JSON_OPTION,
    { long: "status", summary: "Start them and report how that went" },
    ...CONFIG_OPTIONS,
  ],
  positionals: [],
} as const satisfies CommandSpec;

export const GET = {
  name: `${NAME} mcp get`,
  summary: "Shows one server",
  options: [JSON_OPTION, ...CONFIG_OPTIONS],
  positionals: [SERVER],
} as const satisfies CommandSpec;

export const ADD = {
  name: `${NAME} mcp add`,
  summary: "Adds a server to config.toml, or replaces it",
  options: [
    {
      long: "env",
      value: "KEY=VALUE",
      repeatable: true,
      conflicts: ["url"],
      summary: "A variable for the program",
    },
    { long: "url", value: "URL", summary: "Address of a server, instead of a program" },
    {
      long: "transport",
      value: "KIND",
      values: ["http", "sse"],
      summary: "Transport of the address; detected when not given",
    },
    {
      long: "bearer-token-env-var",
      value: "NAME",
      summary: "The variable that holds the token for the address",
    },
    {
      long: "oauth-client-id",
      value: "ID",
      summary: "Client id to sign in with, where registration is not possible",
    },
    {
      long: "oauth-client-secret-env-var",
      value: "NAME",
      summary: "The variable that holds the secret of that client id",
    },
    {
      long: "oauth-resource",
      value: "URL",
      summary: "Resource to request a token for, instead of the address",
    },
  ],
  positionals: [SERVER, { name: "[COMMAND]...", summary: "The program and its arguments, after --" }],
} as const satisfies CommandSpec;

export const REMOVE = {
  name: `${NAME} mcp remove`,
  summary: "Removes a server from config.toml",
  options: [],
  positionals: [SERVER],
} as const satisfies CommandSpec;

export const LOGIN = {
  name: `${NAME} mcp login`,
  summary: "Signs in at a server with the browser (OAuth)",
  options: [
    { long: "scopes", value: "A,B", summary: "Scopes to request, instead of those that the server wants" },
    { long: "no-browser", summary: "Print the address only" },
    ...CONFIG_OPTIONS,
  ],
  positionals: [SERVER],
} as const satisfies CommandSpec;

export const LOGOUT = {
  name: `${NAME} mcp logout`,
  summary: "Forgets the sign-in at a server",
  options: CONFIG_OPTIONS,
  positionals: [SERVER],
} as const satisfies CommandSpec;
