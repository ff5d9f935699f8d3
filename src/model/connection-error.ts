import { AppError } from "../util/errors.ts";
import { isLoopback } from "../util/near-address.ts";
import { clip } from "./problem.ts";

/** The error for a server that gave no answer at all. `proxy` is the address that stood between. */
export function connectionError(cause: unknown, url: string, proxy?: string): AppError {
  if (!URL.canParse(url)) {
    return new AppError("config", `base_url must be a URL, the model's address is "${url}"`, {
      hint: "write it with its scheme, e.g. http://localhost:8080/v1",
      cause,
    });
  }
  const { hostname, port, host } = new URL(url);
  const reason = reasonOf(cause);
  const isRefused = /refused|unable to connect/i.test(reason);
  const isCertificate = /certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY/.test(reason);
  const isLocal = isLoopback(hostname);
  return new AppError("model.unreachable", `cannot reach the model server at ${host}: ${clip(reason)}`, {
    // Nobody listens on this machine: that does not change by waiting.
    retryable: !isCertificate && !(isRefused && isLocal),
    hint: connectionHint({ isLocal, isCertificate, port, proxy }),
    cause,
  });
}

/** The error for a page where a model's answer was expected, with status 200. The page itself is never shown. */
export function pageInsteadOfStream(url: string, contentType: string): AppError {
  return new AppError(
    "model.rejected",
    `expected a model's answer from ${url}, got an HTML page (${contentType || "no content type"})`,
    { hint: "check base_url, and whether a proxy or sign-in page answers in its place" },
  );
}

/** The error for a redirect that is not followed. Both addresses come without their query. */
export function redirectError(status: number, url: string, target: string): AppError {
  return new AppError(
    "model.rejected",
    `expected an answer from ${url}, got a redirect (${status}) to ${clip(target)}`,
    { status, hint: "the key and the prompt stay here; if that address is right, set base_url to it" },
  );
}

type Way = { isLocal: boolean; isCertificate: boolean; port: string; proxy: string | undefined };

function connectionHint({ isLocal, isCertificate, port, proxy }: Way): string {
  if (isCertificate)
    return "name a file with the certificate of your proxy or server in CODEX_CA_CERTIFICATE, if you trust it";
  if (isLocal) return startHint(port);
  if (proxy === undefined) return "check the network connection and base_url";
  // The address may hold a password.
  const host = URL.canParse(proxy) ? new URL(proxy).host : "the proxy";
  return `requests go through the proxy ${host}; check it, or name the server in NO_PROXY`;
}

function startHint(port: string): string {
  if (port === "11434") return "start Ollama with `ollama serve`";
  if (port === "1234") return "start LM Studio's server with `lms server start`";
  return "start the server, or check base_url";
}

/** Why a connection failed, without the advice that the runtime has for programmers. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause instanceof Error ? reasonOf(cause.cause) : undefined;
  if (/\bECONNREFUSED\b|^Unable to connect\b/.test(cause.message)) return "connection refused";
  return (
    inner ??
    cause.message.replace(/\.? ?(For more information, pass `verbose: true`|Was there a typo in).*$/s, "")
  );
}

/** The sentence, and why; that nobody listens is what the sentence says already. */
export function withReason(sentence: string, cause: unknown): string {
  const reason = reasonOf(cause);
  return /refused|unable to connect/i.test(reason) ? sentence : `${sentence}: ${clip(reason)}`;
}
