import { resolve } from "node:path";
import {
  type AuthProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { LastResort } from "../../util/kill.ts";
import { childEnv, type Environment } from "./child-env.ts";
import type { AddressReach, McpServerConfig } from "./config.ts";
import { type Ask, askWithin, httpHeaders } from "./http.ts";
import { keptSignIn, notingWants } from "./kept-sign-in.ts";
import { StdioTransport } from "./stdio.ts";
import { TokenFile } from "./tokens.ts";

export type TransportOptions = {
  /** The server's name in the configuration. */
  name: string;
  config: McpServerConfig;
  env: Environment;
  cwd: string;
  lastResort: LastResort;
  /** Where sign-ins are kept; without it there are none. */
  tokensFile?: string | undefined;
  /** Only addresses of this machine and its own network may be asked. */
  isAirGapped: boolean;
};

/** What carries the messages. `isOld`: in the way of HTTP servers from before 2025, with a stream of its own. */
export async function makeTransport(
  options: TransportOptions,
  { isOld }: { isOld: boolean },
): Promise<Transport> {
  const { env, cwd, lastResort } = options;
  const { reach } = options.config;
  if (reach.kind === "program")
    return new StdioTransport({
      argv: reach.argv,
      cwd: resolve(cwd, reach.cwd ?? "."),
      env: childEnv(env, reach),
      lastResort,
    });
  const ask = askWithin(options);
  const signIn = await signInFor(reach, options, ask);
  const helped = await headersOfHelper(reach, options);
  const http = {
    requestInit: { headers: { ...helped, ...httpHeaders(reach, env) } },
    fetch: signIn === undefined ? ask : signIn.fetch,
    ...(signIn === undefined ? {} : { authProvider: signIn.authProvider }),
  };
  const url = new URL(reach.url);
  return isOld ? new SSEClientTransport(url, http) : new StreamableHTTPClientTransport(url, http);
}

async function headersOfHelper({ headersHelper: command }: AddressReach, { cwd, env }: TransportOptions) {
  if (command === undefined) return {};
  const { helperHeaders } = await import("./headers-helper.ts");
  return await helperHeaders({ command, cwd, env });
}

/** A token that the user names in a variable goes before a sign-in. */
async function signInFor(
  { url, tokenVariable, secretVariable }: AddressReach,
  { tokensFile: file, name, env }: TransportOptions,
  ask: Ask,
): Promise<{ authProvider: AuthProvider; fetch: Ask } | undefined> {
  if (file === undefined || tokenVariable !== undefined) return undefined;
  const tokens = new TokenFile(file);
  if ((await tokens.read(url)) === undefined) return undefined;
  const clientSecret = secretVariable === undefined ? undefined : env[secretVariable];
  const authProvider = keptSignIn({ tokens, url, name, clientSecret, ask });
  return { authProvider, fetch: notingWants(tokens, url, ask) };
}
