import { RUN_OPTIONS } from "../../../config/flags.ts";
import { mcpTokensFile } from "../../../core/session/mcp-servers.ts";
import { TokenFile } from "../../../extensions/mcp/tokens.ts";
import type { ExitCode, Io } from "../../../protocol/program.ts";
import { parseArgs } from "../../../util/args.ts";
import { AppError } from "../../../util/errors.ts";
import { helpText } from "../../../util/help.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { openBrowser } from "./browser.ts";
import { readConfigured, serverNamed } from "./configured.ts";
import { LOGIN, LOGOUT } from "./options.ts";

export async function login(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...LOGIN, options: [...LOGIN.options, ...RUN_OPTIONS] }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(LOGIN));
    return 0;
  }
  const [name = ""] = parsed.positionals;
  const configured = await readConfigured(parsed, io);
  const { values } = serverNamed(configured, name);
  const { url, oauth } = values;
  if (url === undefined) throw noAddress(name);
  if (values.bearer_token_env_var !== undefined)
    throw new AppError("config", `${name} gets its token from ${values.bearer_token_env_var}`, {
      hint: "remove bearer_token_env_var to sign in with a browser instead",
    });
  const asked = parsed.value("scopes")?.split(",");
  const { signIn } = await import("../../../extensions/mcp/sign-in.ts");
  await signIn(
    {
      url,
      tokensFile: mcpTokensFile(configured.config),
      clientId: oauth?.client_id,
      clientSecret: secretOf(name, oauth?.client_secret_env_var, io.env),
      isMachine: oauth?.grant === "client_credentials",
      callbackPort: oauth?.callback_port,
      scopes: (asked ?? values.scopes ?? []).map((scope) => scope.trim()).filter((scope) => scope !== ""),
      resource: values.oauth_resource,
      isAirGapped: configured.config.values.air_gapped,
      onAddress: (address) => {
        void io.stdout.write(`Sign in to '${name}' with your browser:\n${terminalSafe(address)}\n`);
        if (io.stdout.isTty && !parsed.has("no-browser")) openBrowser(address, io.env);
      },
    },
    io.signal,
  );
  await io.stdout.write(`Successfully logged in to MCP server '${name}'.\n`);
  return 0;
}

export async function logout(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...LOGOUT, options: RUN_OPTIONS }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(LOGOUT));
    return 0;
  }
  const [name = ""] = parsed.positionals;
  const configured = await readConfigured(parsed, io);
  const { url } = serverNamed(configured, name).values;
  if (url === undefined) throw noAddress(name);
  const wasIn = await new TokenFile(mcpTokensFile(configured.config)).write(url, undefined);
  await io.stdout.write(
    wasIn ? `Removed OAuth credentials for '${name}'.\n` : `No OAuth credentials stored for '${name}'.\n`,
  );
  return 0;
}

function secretOf(name: string, variable: string | undefined, env: Io["env"]): string | undefined {
  if (variable === undefined) return undefined;
  const secret = env[variable];
  if (secret) return secret;
  throw new AppError(
    "config",
    `the variable ${variable} (oauth.client_secret_env_var of ${name}) is not set`,
    {
      hint: "put the client's secret into it",
    },
  );
}

function noAddress(name: string): AppError {
  return new AppError("config", `'${name}' is a program; sign-in is for servers with an address (url)`, {
    hint: "give it its keys with env or env_vars",
  });
}
