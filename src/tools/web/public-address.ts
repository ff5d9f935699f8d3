import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/**
 * The address of a host on the public internet; undefined when any of its addresses is not public: a page must not lead
 * to services of this machine or its network. The caller connects to this very address, so that a second look-up can't
 * give another one.
 */
export async function publicAddress(host: string): Promise<string | undefined> {
  const bare = host.replace(/^\[|\]$/g, "");
  const found = isIP(bare) ? [bare] : await addressesOf(bare);
  return found.every(isPublic) ? found[0] : undefined;
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return isPublicV4(address);
  return isPublicV6(address.toLowerCase());
}

function isPublicV4(address: string): boolean {
  const [a = 0, b = 0, c = 0] = address.split(".").map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100 && b >= 64 && b <= 127) return false;
  if (a === 169 && b === 254) return false;
  if (a === 172 && b >= 16 && b <= 31) return false;
  if (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)))) return false;
  if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false;
  return !(a === 203 && b === 0 && c === 113);
}

/** Only global unicast (2000::/3), without the ranges that carry IPv4 addresses or are for documentation. */
function isPublicV6(address: string): boolean {
  const [first = "", second = ""] = address.split(":");
  const head = Number.parseInt(first || "0", 16);
  if (head < 0x2000 || head > 0x3fff) return false;
  if (head === 0x2002) return false;
  const next = Number.parseInt(second || "0", 16);
  return !(head === 0x2001 && (next === 0 || next === 0xdb8));
}
