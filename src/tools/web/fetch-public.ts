import { checkServerIdentity, type PeerCertificate } from "node:tls";

/** How to reach the internet: which address a host has, if it may be visited, and certificates that are trusted besides. */
export type Way = { addressOf(host: string): Promise<string | undefined>; certificates?: string[] };
export type Fetched = { url: string; text: string; type: string; isCut: boolean };

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 5;
const PATIENCE_MS = 30_000;
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|xhtml\+xml|javascript|[\w.+-]+\+(?:json|xml)))/i;

/** Gets a text from the public internet. Redirects are followed only to addresses that are public as well. */
export async function fetchPublic(
  start: URL,
  way: Way,
  signal: AbortSignal,
): Promise<Fetched | { problem: string }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  let url = start;
  try {
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const address = await way.addressOf(url.hostname);
      if (address === undefined)
        return { problem: `${url.hostname} was not found, or is not a host of the public internet` };
      const response = await request(url, address, way, limit);
      const next = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
      if (next === null) return await readText(response, url);
      await response.body?.cancel();
      if (!URL.canParse(next, url.href)) return { problem: `${url.href} redirects to no valid address` };
      url = new URL(next, url.href);
      if (!/^https?:$/.test(url.protocol)) return { problem: `${start.href} redirects to ${url.protocol}` };
    }
    return { problem: `${start.href} redirects more than ${MOST_REDIRECTS} times` };
  } catch (cause) {
    if (signal.aborted) throw cause;
    return { problem: `${url.href} could not be fetched: ${cause instanceof Error ? cause.message : cause}` };
  }
}

/** Connects to the address that was checked, under the name that was asked for. */
async function request(
  url: URL,
  address: string,
  { certificates }: Way,
  signal: AbortSignal,
): Promise<Response> {
  const direct = new URL(url);
  direct.hostname = address.includes(":") ? `[${address}]` : address;
  direct.username = "";
  direct.password = "";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return await fetch(direct, {
    redirect: "manual",
    proxy: false,
    headers: { host: url.host, "user-agent": "interpreter", accept: "text/html, text/*, application/json" },
    tls: {
      ...(certificates ? { ca: certificates } : {}),
      serverName: host,
      checkServerIdentity: (_: string, certificate: PeerCertificate) =>
        checkServerIdentity(host, certificate),
    },
    signal,
  });
}

async function readText(response: Response, url: URL): Promise<Fetched | { problem: string }> {
  const type = response.headers.get("content-type") ?? "text/plain";
  if (!response.ok || !TEXT_TYPES.test(type)) {
    await response.body?.cancel();
    if (!response.ok)
      return { problem: `${url.href} answered ${response.status} ${response.statusText}`.trim() };
    return { problem: `${url.href} is not text (${type})` };
  }
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    if (bytes > MOST_BYTES) return { url: url.href, text, type, isCut: true };
  }
  return { url: url.href, text, type, isCut: false };
}
