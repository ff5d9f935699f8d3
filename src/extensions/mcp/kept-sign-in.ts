import { type AuthProvider, refreshAuthorization } from "@modelcontextprotocol/client";
import { NAME } from "../../util/package.ts";
import { askSameServer } from "./http.ts";
import type { TokenFile } from "./tokens.ts";

/**
 * Uses the sign-in that is kept for an address, and renews it when the server refuses it. The library's own way would
 * start a new sign-in when that fails, and print to the console.
 */
export function keptSignIn(tokens: TokenFile, url: string): AuthProvider {
  let used: string | undefined;
  return {
    async token() {
      used = (await tokens.read(url))?.tokens.access_token;
      return used;
    },
    async onUnauthorized() {
      const kept = await tokens.read(url);
      // Another session was faster.
      if (kept !== undefined && kept.tokens.access_token !== used) return;
      const refreshToken = kept?.tokens.refresh_token;
      if (kept === undefined || refreshToken === undefined) throw hasRunOut();
      const { authority, client, resource } = kept;
      try {
        const renewed = await refreshAuthorization(authority.url, {
          ...(authority.metadata === undefined ? {} : { metadata: authority.metadata }),
          clientInformation: client,
          refreshToken,
          ...(resource === undefined ? {} : { resource }),
          fetchFn: askSameServer,
        });
        await tokens.write(url, { ...kept, tokens: { ...renewed } });
      } catch (cause) {
        throw hasRunOut(cause);
      }
    },
  };
}

function hasRunOut(cause?: unknown): Error {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return new Error(`its sign-in could not be renewed${why}; use '${NAME} mcp login'`, { cause });
}
