import { isLoopback, isNear } from "../../util/near-address.ts";
import { fetchFromSameServer } from "../../util/same-server.ts";
import type { Environment } from "./child-env.ts";
import type { AddressReach } from "./config.ts";
import { whyNotFrom } from "./inward.ts";

export type Ask = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Asks a server, and nobody that it would like to send us to. `isAirGapped`: only in this machine and its own network. */
export function askWithin({ isAirGapped = false }: { isAirGapped?: boolean }): Ask {
  return async (url, init = {}) => {
    const { hostname } = new URL(url);
    if (isAirGapped && !isNear(String(url)))
      throw new Error(`air_gapped = true forbids to ask ${hostname}, which is not in the private network`);
    // Bun lets a proxy variable catch addresses of this machine as well.
    const isDirect = isAirGapped || isLoopback(hostname);
    const way = isDirect ? { ...init, proxy: false as const } : init;
    const { response, elsewhere } = await fetchFromSameServer(String(url), way);
    if (elsewhere === undefined) return withinLimits(response);
    throw new Error(`it sends us to ${elsewhere}; if that address is right, set url to it`);
  };
}

/** More than this at once, a whole answer or one event of a stream, is not a message that anybody could use. */
const MOST_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

function withinLimits(response: Response): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, control) {
      const lineEnd = isStream ? chunk.lastIndexOf(NEWLINE) : -1;
      size = lineEnd < 0 ? size + chunk.length : chunk.length - lineEnd - 1;
      if (size > MOST_BYTES) throw new Error("it answered with more than 64 MiB at once");
      control.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}

/** The same for addresses that `server` has named: what it must not send us to is not asked. */
export function askNamedBy(server: string, ask: Ask): Ask {
  return async (url, init) => {
    const problem = whyNotFrom(server, String(url));
    if (problem !== undefined) throw new Error(problem);
    return await ask(url, init);
  };
}

/** For what is asked about signing in: documents, not work. */
export const DOCUMENT_MS = 15_000;

/** The same for documents, whole: who keeps us waiting, also between two bytes, is given up. Rejects when the signal fires. */
export function askInTime(ask: Ask, timeoutMs: number, signal?: AbortSignal): Ask {
  return async (url, init) => {
    const late = AbortSignal.timeout(timeoutMs);
    const signals = [late, signal, init?.signal].filter((one) => one !== undefined && one !== null);
    try {
      const response = await ask(url, { ...init, signal: AbortSignal.any(signals) });
      return new Response(response.body === null ? null : await response.arrayBuffer(), response);
    } catch (cause) {
      if (!late.aborted) throw cause;
      throw new Error(`${new URL(url).host} did not answer within ${timeoutMs / 1000} s`, { cause });
    }
  };
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
