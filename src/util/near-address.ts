const LOOPBACK =
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[?(::1|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\]?|0\.0\.0\.0)$/;

/** A host, as addresses have it once they are parsed, of this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** The address, with its scheme, is one of this machine or of its own network. */
export function isNear(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return isLoopback(hostname) || isPrivate(hostname);
}

const PRIVATE_V4 = /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/;

function isPrivate(hostname: string): boolean {
  if (/^[\d.]+$/.test(hostname)) return PRIVATE_V4.test(hostname);
  if (hostname.startsWith("[")) return /^\[f[cd]|^\[fe[89ab]/i.test(hostname);
  return !hostname.includes(".") || /\.(local|lan|internal|home\.arpa)$/i.test(hostname);
}
