const MOST_REDIRECTS = 5;

/** `elsewhere`: the address, without its query, that the server sent us to and that was not asked. */
export type Fetched = { response: Response; elsewhere?: string };

/**
 * Fetches, and follows redirects only on the same server and only as the same request: `fetch` itself would send our key
 * headers and the body to whatever host it is sent to.
 */
export async function fetchFromSameServer(url: string, init: BunFetchRequestInit): Promise<Fetched> {
  let at = url;
  for (let hops = 0; ; hops++) {
    // A variable can make Bun print requests, with their keys.
    const response = await fetch(at, { ...init, redirect: "manual", verbose: false });
    const target = redirectTarget(response, at);
    if (target === undefined) return { response };
    await response.body?.cancel();
    if (hops >= MOST_REDIRECTS || !isSameRequest(response.status, init.method, at, target))
      return { response, elsewhere: withoutQuery(target) };
    at = target;
  }
}

/** The address up to its query, which may hold a key. */
export function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, "");
}

/** Where a response sends us, as a whole address. */
function redirectTarget(response: Response, from: string): string | undefined {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || location === null) return undefined;
  return URL.canParse(location, from) ? new URL(location, from).href : location;
}

function isSameRequest(status: number, method: string | undefined, from: string, to: string): boolean {
  const keepsMethod = status === 307 || status === 308 || (method ?? "GET") === "GET";
  return keepsMethod && URL.canParse(to) && new URL(to).origin === new URL(from).origin;
}
