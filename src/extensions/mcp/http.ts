import { fetchFromSameServer } from "../../util/same-server.ts";
import type { Environment } from "./child-env.ts";
import type { AddressReach } from "./config.ts";

/** Asks a server, and nobody that it would like to send us to. */
export async function askSameServer(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { response, elsewhere } = await fetchFromSameServer(String(url), init);
  if (elsewhere === undefined) return response;
  throw new Error(`it sends us to ${elsewhere}; if that address is right, set url to it`);
}

/** The headers of every request. Throws when the variable of the token is not set. */
export function httpHeaders(reach: AddressReach, env: Environment): Record<string, string> {
  const headers: Record<string, string> = { ...reach.headers };
  for (const [header, variable] of Object.entries(reach.headerVariables)) {
    const value = env[variable];
    if (value !== undefined) headers[header] = value;
  }
  const { tokenVariable: variable } = reach;
  if (variable === undefined) return headers;
  const token = env[variable];
  if (!token) throw new Error(`the variable ${variable} (bearer_token_env_var) is not set`);
  return { ...headers, Authorization: `Bearer ${token}` };
}
