import { randomBytes } from "node:crypto";
import { auth, computeScopeUnion, extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { z } from "zod";
import { AppError } from "../../util/errors.ts";
import { isNear } from "../../util/near-address.ts";
import { type Ask, askInTime, askNamedBy, askWithin, DOCUMENT_MS } from "./http.ts";
import { whyNotFrom } from "./inward.ts";
import { NewSignIn } from "./new-sign-in.ts";
import { TokenFile } from "./tokens.ts";

export type SignInOptions = {
  /** Of the MCP server. */
  url: string;
  tokensFile: string;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** Nobody signs in: the program does, with its id and secret. */
  isMachine?: boolean;
  /** Any free port when absent. */
  callbackPort?: number | undefined;
  scopes: readonly string[];
  resource?: string | undefined;
  /** How long each document may take; usually 15 s. */
  timeoutMs?: number;
  /** Shows the person where to sign in. */
  onAddress(address: string): void;
  /** Only addresses of this machine and its own network may be asked. */
  isAirGapped?: boolean;
};

/** Authorities choose the words of their errors. Characters. */
const LONGEST_REASON = 1_000;

const PATIENCE_MS = 5 * 60_000;

/** Lets a person sign in with their browser, or the program as itself, and keeps the tokens. Throws AppError. */
export async function signIn(options: SignInOptions, signal: AbortSignal): Promise<void> {
  const { url, clientId, clientSecret, resource, isMachine = false, timeoutMs = DOCUMENT_MS } = options;
  if (isMachine && (clientId === undefined || clientSecret === undefined)) throw nameless(url);
  const tokens = new TokenFile(options.tokensFile);
  const state = randomBytes(16).toString("base64url");
  await using callback = listen(state, options.callbackPort ?? 0);
  const scope = options.scopes.join(" ") || (await scopeWantedBefore(tokens, url));
  const provider = new NewSignIn({
    tokens,
    url,
    redirectUrl: isMachine ? undefined : callback.url,
    state,
    ...(scope === undefined ? {} : { scope }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(resource === undefined ? {} : { resource }),
    onAddress: (address) => options.onAddress(checked(address, options)),
  });
  try {
    const ask = askWithin(options);
    const wanted = await challenge(url, ask, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    const fetchFn = askNamedBy(url, askInTime(ask, timeoutMs, signal));
    const known = { serverUrl: url, fetchFn, ...wanted, ...(scope ? { scope } : {}) };
    if ((await auth(provider, known)) === "AUTHORIZED") return;
    const { code, iss } = await answered(callback.answer, signal);
    await auth(provider, { ...known, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
  } catch (cause) {
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (cause instanceof AppError) throw cause;
    const why = reasonOf(cause).slice(0, LONGEST_REASON);
    throw new AppError("auth", `signing in at ${url} failed: ${why}`, {
      cause,
      hint: "the server may not offer sign-in by browser; a token can be named with bearer_token_env_var",
    });
  }
}

function nameless(url: string): AppError {
  return new AppError("config", `client_credentials want an id and a secret for ${url}, and one is missing`, {
    hint: "set oauth.client_id and oauth.client_secret_env_var of the server",
  });
}

/** Of a document that is not what it should be, the first fault. */
function reasonOf(cause: unknown): string {
  const [issue] = cause instanceof z.ZodError ? cause.issues : [];
  if (issue !== undefined) return `${issue.path.join(".")}: ${issue.message}`;
  return cause instanceof Error ? cause.message : String(cause);
}

/** A server that wanted more rights than were given gets asked for all of them. */
async function scopeWantedBefore(tokens: TokenFile, url: string): Promise<string | undefined> {
  const kept = await tokens.read(url);
  return kept?.wantedScope === undefined ? undefined : computeScopeUnion(kept.tokens.scope, kept.wantedScope);
}

/** What the server says about signing in when it is asked without a token. */
async function challenge(url: string, ask: Ask, signal: AbortSignal) {
  const response = await ask(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    signal,
  });
  await response.body?.cancel();
  if (response.status !== 401) return {};
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}), ...(scope ? { scope } : {}) };
}

/** The address comes from the server, and a browser or a shell is about to be given it. */
function checked(address: URL, { url: server, isAirGapped }: SignInOptions): string {
  const isForbidden = isAirGapped && !isNear(address.href);
  const problem = isForbidden
    ? `air_gapped = true forbids ${address.host}, which is not in the private network`
    : whyNotFrom(server, address.href);
  if (problem === undefined) return address.href;
  throw new AppError("auth", `the sign-in page of ${server} is not opened: ${problem}`, {
    hint: "ask who runs the server; a token can be named with bearer_token_env_var",
  });
}

type Answer = { code: string; iss?: string };

/** Waits on the loopback address for the browser to come back. */
function listen(state: string, port: number): { url: string; answer: Promise<Answer> } & AsyncDisposable {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // Nobody may be waiting yet, or nobody any longer.
  promise.catch(() => undefined);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/callback") return new Response("not found", { status: 404 });
      // Any page may send a browser here: only the one that we sent away knows the state.
      if (searchParams.get("state") !== state) return new Response("unexpected state", { status: 400 });
      const code = searchParams.get("code");
      if (code === null) {
        const error =
          searchParams.get("error_description") ?? searchParams.get("error") ?? "no code came back";
        reject(new AppError("auth", `the sign-in was refused: ${error}`));
        return page("The sign-in was refused. The terminal says more.");
      }
      const iss = searchParams.get("iss");
      resolve({ code, ...(iss === null ? {} : { iss }) });
      return page("Signed in. This window can be closed.");
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/callback`,
    answer: promise,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

function page(text: string): Response {
  return new Response(text, {
    headers: { "content-type": "text/plain; charset=utf-8", connection: "close" },
  });
}

async function answered(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const given = Promise.withResolvers<never>();
  const giveUp = () =>
    given.reject(
      signal.aborted
        ? new AppError("aborted", "interrupted")
        : new AppError("auth", `nobody signed in within ${PATIENCE_MS / 60_000} minutes`),
    );
  if (over.aborted) giveUp();
  over.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([answer, given.promise]);
  } finally {
    over.removeEventListener("abort", giveUp);
  }
}
