import { AppError, toAppError } from "../util/errors.ts";
import { fetchFromSameServer, withoutQuery } from "../util/same-server.ts";
import { redirectError } from "./connection-error.ts";
import { errorBody } from "./error-body.ts";
import { httpError } from "./http-error.ts";
import type { Endpoint } from "./types.ts";

/** The address of a path below a base URL that may end in a slash, with this query. */
export function addressBelow(baseUrl: string, path: string, query: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams(query);
  const address = baseUrl.replace(/\/+$/, "") + path;
  return parameters.size === 0 ? address : `${address}?${parameters}`;
}

/** Fetches by the endpoint's way: its proxy and its certificates. Throws AppError by status when that is not 2xx. */
export async function exchange(
  url: string,
  init: BunFetchRequestInit,
  endpoint: Endpoint,
): Promise<Response> {
  const { apiKey, keyVariable, proxy, certificates } = endpoint;
  const { response, elsewhere } = await fetchFromSameServer(url, {
    ...init,
    // Bun ends a fetch after five silent minutes, and lets a proxy variable catch addresses of this machine.
    timeout: false,
    proxy: proxy ?? false,
    ...(certificates ? { tls: { ca: [...certificates] } } : {}),
  });
  if (elsewhere !== undefined) throw redirectError(response.status, withoutQuery(url), elsewhere);
  if (response.ok) return response;
  const { status, statusText, headers } = response;
  const body = await errorBody(response, init.signal ?? undefined);
  throw httpError({ status, statusText, headers, body, url: withoutQuery(url), apiKey, keyVariable });
}

/** Runs `attempt`, and once more with another key when the server refuses the first one and there is another. */
export async function withRenewedKey<T>(
  endpoint: Endpoint,
  attempt: (endpoint: Endpoint) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await attempt(endpoint);
  } catch (cause) {
    if (toAppError(cause).status !== 401) throw cause;
    const apiKey = await endpoint.renewKey?.(endpoint.apiKey, signal);
    if (apiKey === undefined || apiKey === endpoint.apiKey) throw cause;
    return await attempt({ ...endpoint, apiKey });
  }
}

/** The endpoint's key and headers; `over` wins, and a `null` value there removes a header. */
export function headersFor(
  endpoint: Endpoint,
  defaults: Readonly<Record<string, string>>,
  over: Readonly<Record<string, string | null>> = {},
): Headers {
  const headers = new Headers(defaults);
  const { apiKey, keyHeader } = endpoint;
  if (apiKey && keyHeader) setHeader(headers, keyHeader, apiKey);
  else if (apiKey) setHeader(headers, "authorization", `Bearer ${apiKey}`);
  for (const [name, value] of [...Object.entries(endpoint.headers), ...Object.entries(over)]) {
    setHeader(headers, name, value);
  }
  return headers;
}

function setHeader(headers: Headers, name: string, value: string | null): void {
  try {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  } catch {
    // The value may be a key, so it is not shown, and neither is the cause that quotes it.
    throw new AppError("config", `the header "${name}" holds characters that HTTP does not allow`, {
      hint: "check the provider's key and its http_headers for line breaks and other stray characters",
    });
  }
}
