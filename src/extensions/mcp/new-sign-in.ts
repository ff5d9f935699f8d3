import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { NAME } from "../../util/package.ts";
import { machineRequest } from "./machine-sign-in.ts";
import type { TokenFile } from "./tokens.ts";

export type NewSignInOptions = {
  tokens: TokenFile;
  /** Of the MCP server. */
  url: string;
  /** Where the person comes back; without it, nobody is sent away and the program signs in as itself. */
  redirectUrl: string | undefined;
  scope?: string;
  /** Known to the authority already, or the https address of a document about us; otherwise we register. */
  clientId?: string;
  clientSecret?: string;
  /** In place of the address of the server, as what the token is for. */
  resource?: string;
  state: string;
  /** Shows the person where to sign in. */
  onAddress(address: URL): void;
};

/** One sign-in in the making. Nothing is kept until the tokens are there. */
export class NewSignIn implements OAuthClientProvider {
  readonly #options: NewSignInOptions;
  #client: StoredOAuthClientInformation | undefined;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;

  constructor(options: NewSignInOptions) {
    this.#options = options;
    const { resource, clientId } = options;
    if (resource !== undefined) this.validateResourceURL = async () => new URL(resource);
    if (clientId?.startsWith("https://")) this.clientMetadataUrl = clientId;
    if (options.redirectUrl === undefined) this.prepareTokenRequest = machineRequest;
  }

  validateResourceURL?: () => Promise<URL>;
  clientMetadataUrl?: string;
  prepareTokenRequest?: (scope?: string) => URLSearchParams;

  get redirectUrl(): string | undefined {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return clientMetadata(this.#options.redirectUrl, this.#options.scope);
  }

  state(): string {
    return this.#options.state;
  }

  /** An id of the user's own is for whichever authority they are about to sign in at. */
  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#options;
    // Where documents about clients are not read, the library registers us.
    if (clientId === undefined || this.clientMetadataUrl !== undefined) return this.#client;
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...(context === undefined ? {} : { issuer: context.issuer }),
    };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  tokens(): undefined {
    return undefined;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    const { url, resource = this.#discovered?.resourceMetadata?.resource } = this.#options;
    const client = this.#clientToKeep();
    if (client === undefined || this.#discovered === undefined)
      throw new Error("tokens came before the registration");
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = this.#discovered;
    await this.#options.tokens.write(url, {
      client: { ...client },
      tokens: { ...tokens },
      authority: { url: authorizationServerUrl, ...(metadata === undefined ? {} : { metadata }) },
      ...(resource === undefined ? {} : { resource }),
      ...(this.redirectUrl === undefined ? { isMachine: true } : {}),
    });
  }

  /** A secret that the user keeps in a variable is not ours to write down. */
  #clientToKeep(): StoredOAuthClientInformation | undefined {
    const { clientId } = this.#options;
    return this.#client ?? (clientId === undefined ? undefined : { client_id: clientId });
  }

  /** The code may go only to the authority that the person was sent to. */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  redirectToAuthorization(address: URL): void {
    this.#options.onAddress(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

function clientMetadata(redirectUrl: string | undefined, scope: string | undefined): OAuthClientMetadata {
  return {
    client_name: NAME,
    redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
    grant_types: redirectUrl === undefined ? ["client_credentials"] : ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...(scope === undefined ? {} : { scope }),
  };
}
