import { isIPv4, isIPv6 } from "node:net";

/** How far inside an address lies: anywhere, in this network, on this machine, or where only machines' own keepers answer. */
type Depth = 0 | 1 | 2 | 3;

const PRIVATE = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
const LOCAL_NAME = /(?:^[^.]+|\.(?:local|internal|home\.arpa))$/;

/**
 * Why a server must not send us to an address, in words; undefined when it may. What a server says about signing in names
 * addresses that we ask, or that the person opens: one in the open must not reach into the person's machine or network that
 * way, and one that is spoken to in secret must not lead out of that.
 */
export function whyNotFrom(server: string, target: string): string | undefined {
  if (!URL.canParse(target)) return "it names something that is not an address";
  const from = new URL(server);
  const to = new URL(target);
  if (to.protocol !== "https:" && to.protocol !== "http:")
    return `it names ${to.protocol}, which is not a web address`;
  if (from.hostname === to.hostname && from.protocol === to.protocol) return undefined;
  const depth = depthOf(to.hostname);
  if (depth > depthOf(from.hostname))
    return `it sends us to ${to.host}, which lies inside your own machine or network while the server does not`;
  if (from.protocol === "https:" && to.protocol === "http:" && depth < 2)
    return `it sends us to ${to.host} without encryption`;
  return undefined;
}

function depthOf(hostname: string): Depth {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIPv4(host)) return depthOfIpv4(host);
  if (isIPv6(host)) return depthOfIpv6(host);
  if (host === "localhost" || host.endsWith(".localhost")) return 2;
  return LOCAL_NAME.test(host) ? 1 : 0;
}

function depthOfIpv4(host: string): Depth {
  if (host.startsWith("169.254.")) return 3;
  if (host.startsWith("127.") || host.startsWith("0.")) return 2;
  return PRIVATE.test(host) ? 1 : 0;
}

function depthOfIpv6(host: string): Depth {
  // Addresses of the other family inside of this one: `::ffff:7f00:1` is 127.0.0.1.
  const inner = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (inner) {
    const [high = 0, low = 0] = inner.slice(1).map((part) => Number.parseInt(part, 16));
    return depthOfIpv4([high >> 8, high & 255, low >> 8, low & 255].join("."));
  }
  if (host === "::1" || host === "::") return 2;
  if (/^fe[89ab]/.test(host)) return 3;
  return /^f[cd]/.test(host) ? 1 : 0;
}
