import type { ExitCode, Io } from "../../protocol/program.ts";
import { type CommandSpec, parseArgs, usageError } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { ADD, GET, LIST, LOGIN, LOGOUT, REMOVE } from "./mcp/options.ts";

const ACTIONS = {
  list: async (argv: readonly string[], io: Io) => (await import("./mcp/list.ts")).listServers(argv, io),
  get: async (argv: readonly string[], io: Io) => (await import("./mcp/list.ts")).getServer(argv, io),
  add: async (argv: readonly string[], io: Io) => (await import("./mcp/add.ts")).addServer(argv, io),
  remove: async (argv: readonly string[], io: Io) => (await import("./mcp/remove.ts")).removeServer(argv, io),
  login: async (argv: readonly string[], io: Io) => (await import("./mcp/sign-in.ts")).login(argv, io),
  logout: async (argv: readonly string[], io: Io) => (await import("./mcp/sign-in.ts")).logout(argv, io),
} as const;

export const MCP_COMMAND = {
  name: `${NAME} mcp`,
  summary: "Manage external tool servers",
  options: [],
  subcommands: [
    { name: "list", summary: LIST.summary },
    { name: "get", summary: GET.summary },
    { name: "add", summary: ADD.summary },
    { name: "remove", summary: REMOVE.summary },
    { name: "login", summary: LOGIN.summary },
    { name: "logout", summary: LOGOUT.summary },
  ],
} as const satisfies CommandSpec;

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { subcommand, positionals, wantsHelp } = parseArgs(MCP_COMMAND, argv);
  if (subcommand !== undefined && isAction(subcommand.name))
    return ACTIONS[subcommand.name](wantsHelp ? ["--help"] : subcommand.argv, io);
  if (!wantsHelp && positionals.length === 0)
    throw usageError(MCP_COMMAND, "wanted one of list, get, add, remove, login, logout");
  await io.stdout.write(helpText(MCP_COMMAND));
  return 0;
}

function isAction(name: string): name is keyof typeof ACTIONS {
  return Object.hasOwn(ACTIONS, name);
}
