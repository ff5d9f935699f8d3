import { join } from "node:path";
import { setKey } from "../../../config/edit.ts";
import { CONFIG_FILE, findHome } from "../../../config/paths.ts";
import type { ExitCode, Io } from "../../../protocol/program.ts";
import { parseArgs, usageError } from "../../../util/args.ts";
import { helpText } from "../../../util/help.ts";
import { NAME } from "../../../util/package.ts";
import { checkedName } from "./names.ts";
import { ADD } from "./options.ts";

export async function addServer(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs(ADD, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(ADD));
    return 0;
  }
  const [word = "", command, ...args] = parsed.positionals;
  const name = checkedName(word);
  const url = parsed.value("url");
  if ((url === undefined) === (command === undefined))
    throw usageError(
      ADD,
      `wanted a program after -- or an address with --url, ${url === undefined ? "found neither" : "not both"}`,
    );
  const table =
    url === undefined
      ? programTable([command ?? "", ...args], parsed.values("env"))
      : addressTable(url, (option) => parsed.value(option));
  const misplaced = ADDRESS_OPTIONS.find((option) => url === undefined && parsed.has(option));
  if (misplaced !== undefined) throw usageError(ADD, `--${misplaced} is for servers with --url only`);
  await setKey(join(await findHome(io.env), CONFIG_FILE), ["mcp_servers", name], table);
  await io.stdout.write(`Added global MCP server '${name}'.\n`);
  if (url !== undefined && !parsed.has("bearer-token-env-var"))
    await io.stdout.write(`If it wants you to sign in: ${NAME} mcp login ${name}\n`);
  return 0;
}

const ADDRESS_OPTIONS = [
  "transport",
  "bearer-token-env-var",
  "oauth-client-id",
  "oauth-client-secret-env-var",
  "oauth-resource",
] as const;
type AddressOption = (typeof ADDRESS_OPTIONS)[number];

function programTable([command, ...args]: readonly string[], env: readonly string[]) {
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env.map(pair)) }),
  };
}

function pair(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1)
    throw usageError(ADD, `invalid value '${text}' for '--env <KEY=VALUE>': wanted a name, = and a value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function addressTable(url: string, value: (option: AddressOption) => string | undefined) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageError(ADD, `invalid value '${url}' for '--url <URL>': wanted http:// or https://`);
  const token = value("bearer-token-env-var");
  const oauth = oauthTable(value);
  const transport = value("transport");
  const resource = value("oauth-resource");
  return {
    url,
    ...(token === undefined ? {} : { bearer_token_env_var: token }),
    ...(transport === undefined ? {} : { transport }),
    ...(oauth === undefined ? {} : { oauth }),
    ...(resource === undefined ? {} : { oauth_resource: resource }),
  };
}

function oauthTable(value: (option: AddressOption) => string | undefined) {
  const id = value("oauth-client-id");
  const secret = value("oauth-client-secret-env-var");
  if (id === undefined && secret === undefined) return undefined;
  return {
    ...(id === undefined ? {} : { client_id: id }),
    ...(secret === undefined ? {} : { client_secret_env_var: secret }),
  };
}
