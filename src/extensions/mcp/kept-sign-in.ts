import {
  type AuthProvider,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  refreshAuthorization,
} from "@modelcontextprotocol/client";
import { NAME } from "../../util/package.ts";
import { type Ask, askInTime, askNamedBy, DOCUMENT_MS } from "./http.ts";
import { machineTokens } from "./machine-sign-in.ts";
import type { SignIn, TokenFile } from "./tokens.ts";

export type KeptSignInOptions = {
  tokens: TokenFile;
  /** Of the MCP server. */
  url: string;
  /** What the user calls it. */
  name: string;
  /** Of our client id, when the user keeps it in a variable. */
  clientSecret: string | undefined;
  ask: Ask;
};

/**
 * Uses the sign-in that is kept for an address, and renews it when the server refuses it. The library's own way would
 * start a new sign-in when that fails, and print to the console.
 */
export function keptSignIn(options: KeptSignInOptions): AuthProvider {
  const { tokens, url } = options;
  let used: string | undefined;
  let renewing: Promise<void> | undefined;
  return {
    async token() {
      used = (await tokens.read(url))?.tokens.access_token;
      return used;
    },
    async onUnauthorized() {
      // Calls that run beside each other are refused together, and a refresh token is often good for one time only.
      renewing ??= renew(options, used).finally(() => {
        renewing = undefined;
      });
      await renewing;
    },
  };
}

async function renew(options: KeptSignInOptions, used: string | undefined) {
  const { tokens, url, name } = options;
  const kept = await tokens.read(url);
  // Another session was faster.
  if (kept !== undefined && kept.tokens.access_token !== used) return;
  if (kept === undefined || !canRenew(kept, options)) throw hasRunOut(name);
  try {
    await tokens.write(url, { ...kept, tokens: { ...kept.tokens, ...(await renewed(kept, options)) } });
  } catch (cause) {
    const now = await tokens.read(url);
    if (now !== undefined && now.tokens.access_token !== used) return;
    throw hasRunOut(name, cause);
  }
}

function canRenew({ tokens, isMachine }: SignIn, { clientSecret }: KeptSignInOptions): boolean {
  return tokens.refresh_token !== undefined || (isMachine === true && clientSecret !== undefined);
}

function renewed(kept: SignIn, { url, clientSecret, ask }: KeptSignInOptions) {
  const { authority, client, resource, isMachine } = kept;
  const fetchFn = askNamedBy(url, askInTime(ask, DOCUMENT_MS));
  const refreshToken = kept.tokens.refresh_token ?? "";
  if (isMachine && clientSecret !== undefined) return machineTokens(kept, clientSecret, fetchFn);
  return refreshAuthorization(authority.url, {
    ...(authority.metadata === undefined ? {} : { metadata: authority.metadata }),
    clientInformation: clientSecret === undefined ? client : { ...client, client_secret: clientSecret },
    refreshToken,
    ...(resource === undefined ? {} : { resource }),
    fetchFn,
  });
}

/** Asks the server, and keeps what rights it says are missing: the next sign-in asks for them as well. */
export function notingWants(tokens: TokenFile, url: string, ask: Ask): Ask {
  return async (to, init) => {
    const response = await ask(to, init);
    if (response.status !== 403) return response;
    const { error, scope } = extractWWWAuthenticateParams(response);
    const kept = error === "insufficient_scope" ? await tokens.read(url) : undefined;
    const wantedScope = kept && computeScopeUnion(kept.wantedScope, scope);
    if (wantedScope !== kept?.wantedScope) await tokens.write(url, kept && { ...kept, wantedScope });
    return response;
  };
}

function hasRunOut(name: string, cause?: unknown): Error {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return new Error(`its sign-in could not be renewed${why}; use '${NAME} mcp login ${name}'`, { cause });
}
