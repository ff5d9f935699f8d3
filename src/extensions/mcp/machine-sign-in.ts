import { fetchToken, type OAuthClientProvider, type OAuthTokens } from "@modelcontextprotocol/client";
import type { Ask } from "./http.ts";
import type { SignIn } from "./tokens.ts";

/** The request of a program that signs in as itself: with its own secret, and nobody at a browser. */
export function machineRequest(scope: string | undefined): URLSearchParams {
  return new URLSearchParams({ grant_type: "client_credentials", ...(scope ? { scope } : {}) });
}

/** Such a sign-in is not renewed, it is made again. `scope`: what was given before. */
export async function machineTokens(
  { authority, client, resource, tokens: { scope } }: SignIn,
  clientSecret: string,
  fetchFn: Ask,
): Promise<OAuthTokens> {
  const provider: OAuthClientProvider = {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => ({ ...client, client_secret: clientSecret }),
    prepareTokenRequest: machineRequest,
    tokens: () => undefined,
    saveTokens() {},
    redirectToAuthorization() {},
    saveCodeVerifier() {},
    codeVerifier: () => "",
  };
  return await fetchToken(provider, authority.url, {
    ...(authority.metadata === undefined ? {} : { metadata: authority.metadata }),
    ...(resource === undefined ? {} : { resource: new URL(resource) }),
    ...(scope === undefined ? {} : { scope }),
    fetchFn,
  });
}
