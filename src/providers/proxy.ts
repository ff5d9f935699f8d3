import { AppError } from "../util/errors.ts";
import { isLoopback } from "../util/near-address.ts";
import { type Env, nonBlank } from "./settings.ts";

/**
 * The HTTP proxy that the environment wants for this address, or undefined for the direct way. Addresses of this machine
 * are always direct. Throws AppError "config" for a proxy that can't be used.
 */
export function proxyFor(address: string, env: Env): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  if (isLoopback(hostname)) return undefined;
  const isSecure = protocol === "https:";
  const found = firstSet(env, isSecure ? "https_proxy" : "http_proxy", "all_proxy");
  if (!found || isExempt(hostname, port || (isSecure ? "443" : "80"), env)) return undefined;
  return usable(found.name, found.value);
}

/** By convention the lower-case spelling wins. */
function firstSet(env: Env, ...names: string[]): { name: string; value: string } | undefined {
  for (const name of names.flatMap((lower) => [lower, lower.toUpperCase()])) {
    const value = nonBlank(env, name);
    if (value) return { name, value };
  }
  return undefined;
}

function usable(name: string, value: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (/^https?:/i.test(address) && URL.canParse(address)) return address;
  // The value may hold a password, so only its scheme is shown.
  const scheme = address.slice(0, address.indexOf(":"));
  throw new AppError("config", `${name} must be the address of an HTTP proxy, found one for ${scheme}`, {
    hint: "set HTTPS_PROXY to an address such as http://proxy.example:3128, or name the model server in NO_PROXY",
  });
}

function isExempt(hostname: string, port: string, env: Env): boolean {
  const list = firstSet(env, "no_proxy")?.value ?? "";
  const rules = list.toLowerCase().split(/[\s,]+/);
  return rules.some((rule) => rule !== "" && exempts(rule, bare(hostname), port));
}

/** A rule is `*`, an address, a block such as 10.0.0.0/8, or a name that stands for what ends in it; a port may follow. */
function exempts(rule: string, host: string, port: string): boolean {
  if (rule === "*") return true;
  const [, literal, wantedPort] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(rule) ?? [undefined, rule];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const name = bare(literal ?? rule).replace(/^\*?\./, "");
  return host === name || host.endsWith(`.${name}`) || isInBlock(host, name);
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

function isInBlock(host: string, block: string): boolean {
  const [network = "", bits = ""] = block.split("/");
  const [address, base] = [ipv4(host), ipv4(network)];
  const length = Number(bits);
  if (address === undefined || base === undefined || !/^\d+$/.test(bits) || length > 32) return false;
  const size = 2 ** (32 - length);
  return Math.floor(address / size) === Math.floor(base / size);
}

function ipv4(text: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined;
  const bytes = text.split(".").map(Number);
  return bytes.every((byte) => byte < 256) ? bytes.reduce((sum, byte) => sum * 256 + byte, 0) : undefined;
}
