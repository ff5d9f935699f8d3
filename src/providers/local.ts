import { AppError } from "../util/errors.ts";
import { type Env, nonBlank } from "./settings.ts";

export type LocalId = "ollama" | "lmstudio";

const PORTS: Readonly<Record<LocalId, number>> = { ollama: 11434, lmstudio: 1234 };

/** Where a local server listens, with `/v1` at its end. */
export function localBaseUrl(id: LocalId, env: Env): string {
  const whole = nonBlank(env, "CODEX_OSS_BASE_URL");
  if (whole) return checkedUrl(whole).replace(/\/+$/, "");
  const port = nonBlank(env, "CODEX_OSS_PORT");
  if (port) return `http://127.0.0.1:${checkedPort(port)}/v1`;
  if (id === "ollama") return `${ollamaOrigin(nonBlank(env, "OLLAMA_HOST") ?? "")}/v1`;
  return `http://127.0.0.1:${PORTS[id]}/v1`;
}

function checkedPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new AppError("config", `CODEX_OSS_PORT must be a port from 1 to 65535, found "${text}"`, {
    hint: "correct it or unset it",
  });
}

function checkedUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new AppError("config", `CODEX_OSS_BASE_URL must be a URL with http or https, found "${text}"`, {
    hint: "write it whole, e.g. http://127.0.0.1:11434/v1, or unset it",
  });
}

/** The address in OLLAMA_HOST, read as Ollama does: a scheme, a port and a path are optional, and a server that listens on every address is reached through loopback. */
export function ollamaOrigin(host: string): string {
  const bare = host.trim().replace(/^["']|["']$/g, "");
  // The one name that means another machine of the maker, and so another scheme.
  if (bare === "ollama.com") return "https://ollama.com:443";
  const parts = /^(?:(?<scheme>https?):\/\/)?(?<rest>[^/]*)(?<path>\/.*)?/i.exec(bare)?.groups ?? {};
  const { scheme, rest = "", path = "" } = parts;
  const protocol = scheme?.toLowerCase() ?? "http";
  const { name, port } = splitPort(rest);
  const defaultPort = scheme === undefined ? PORTS.ollama : protocol === "https" ? 443 : 80;
  // People name the place of its other interface; what stands before that is a prefix of a server in front of it.
  const prefix = path.replace(/\/+$/, "").replace(/\/v1$/, "");
  const origin = `${protocol}://${reachable(name)}:${port ?? defaultPort}${prefix}`;
  const isOtherScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i.test(bare);
  if (isOtherScheme || /[@?#]/.test(rest) || !URL.canParse(origin)) throw noAddress(host);
  return origin;
}

function noAddress(host: string): AppError {
  // What stands before an @ may be a password.
  const found = host.replace(/[^/]*@/, "…@");
  return new AppError("config", `OLLAMA_HOST must be an address such as host:port, found "${found}"`, {
    hint: "correct it or unset it; only http and https lead to a server, sockets of files don't",
  });
}

function splitPort(address: string): { name: string; port?: string } {
  const [, literal, literalPort] = /^(\[[^\]]*\])(?::(\d+))?$/.exec(address) ?? [];
  if (literal) return { name: literal, port: literalPort };
  if (address.split(":").length > 2) return { name: `[${address}]` };
  const [name = "", port] = address.split(":");
  return port && /^\d+$/.test(port) && Number(port) < 65_536 ? { name, port } : { name };
}

function reachable(name: string): string {
  if (name === "" || name === "0.0.0.0") return "127.0.0.1";
  return name === "[::]" ? "[::1]" : name;
}
