import { createHash } from "node:crypto";
import { z } from "zod";

/** An MCP server over HTTP that wants a sign-in, and the authority that gives it, as one server on loopback. */
export type OauthServer = AsyncDisposable & {
  /** Of the MCP server. */
  url: string;
  /** What was asked for, in order: the method and the path. */
  seen: string[];
  /** Makes every token given so far invalid; a refresh gives a new one. */
  expireTokens(): void;
  /** Refuses refreshes from now on. */
  refuseRefresh(): void;
  /** Calls of tools want this scope from now on. */
  wantScope(scope: string): void;
  /** The clients at the authority, as they named themselves when they came for tokens: `id`, or `id:secret`. */
  clients: string[];
  /** The scopes that people were asked for. */
  askedScopes: (string | null)[];
};

export type OauthOptions = {
  /** How clients prove who they are. */
  authMethod?: "none" | "client_secret_basic" | "client_secret_post";
  /** Client ids may be addresses of documents. */
  readsDocuments?: boolean;
};

type State = {
  valid: Set<string>;
  challenge: string;
  count: number;
  refreshes: boolean;
  scope: string;
  granted: string;
  clients: string[];
  askedScopes: (string | null)[];
  authMethod: string;
  readsDocuments: boolean;
};
type Handler = (request: Request, url: URL, state: State) => Response | Promise<Response>;

export function startOauthServer({
  authMethod = "none",
  readsDocuments = false,
}: OauthOptions = {}): OauthServer {
  const seen: string[] = [];
  const state: State = {
    valid: new Set(),
    challenge: "",
    count: 0,
    refreshes: true,
    scope: "",
    granted: "",
    clients: [],
    askedScopes: [],
    authMethod,
    readsDocuments,
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const url = new URL(request.url);
      seen.push(`${request.method} ${url.pathname}`);
      return HANDLERS[url.pathname]?.(request, url, state) ?? new Response(null, { status: 404 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    seen,
    expireTokens: () => state.valid.clear(),
    refuseRefresh: () => {
      state.refreshes = false;
    },
    wantScope: (scope) => {
      state.scope = scope;
    },
    clients: state.clients,
    askedScopes: state.askedScopes,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const RESOURCE = "/.well-known/oauth-protected-resource/mcp";
const HANDLERS: Readonly<Record<string, Handler>> = {
  [RESOURCE]: (_, { origin }) =>
    Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] }),
  "/.well-known/oauth-authorization-server": (_, { origin }, { authMethod, readsDocuments }) =>
    Response.json({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: [authMethod],
      client_id_metadata_document_supported: readsDocuments,
    }),
  "/register": async (request) => {
    const wanted = z.looseObject({}).parse(await request.json());
    return Response.json({ ...wanted, client_id: "client-1" }, { status: 201 });
  },
  "/authorize": (_, { searchParams }, state) => {
    state.challenge = searchParams.get("code_challenge") ?? "";
    state.granted = searchParams.get("scope") ?? "";
    state.askedScopes.push(searchParams.get("scope"));
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", "code-1");
    back.searchParams.set("state", searchParams.get("state") ?? "");
    return Response.redirect(back.href, 302);
  },
  "/token": async (request, _, state) => {
    const form = new URLSearchParams(await request.text());
    state.clients.push(clientIn(request, form));
    const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
    if (form.get("grant_type") === "client_credentials") return machineTokens(state);
    const isGiven =
      form.get("grant_type") === "refresh_token"
        ? state.refreshes
        : form.get("code") === "code-1" && verifier.digest("base64url") === state.challenge;
    return isGiven ? newTokens(state) : Response.json({ error: "invalid_grant" }, { status: 400 });
  },
  "/mcp": (request, { origin }, state) => {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (state.valid.has(token)) return lacksScope(request, state) ?? answer(request);
    const challenge = `Bearer resource_metadata="${origin}${RESOURCE}"`;
    return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
  },
};

function clientIn(request: Request, form: URLSearchParams): string {
  const basic = request.headers.get("authorization")?.replace("Basic ", "");
  if (basic !== undefined) return atob(basic);
  const secret = form.get("client_secret");
  return `${form.get("client_id")}${secret === null ? "" : `:${secret}`}`;
}

function lacksScope(request: Request, { scope, granted }: State): Response | undefined {
  if (request.method !== "POST" || scope === "" || granted.split(" ").includes(scope)) return undefined;
  const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  return new Response(null, { status: 403, headers: { "www-authenticate": challenge } });
}

/** A program that has signed in as itself gets no refresh token: it signs in again. */
async function machineTokens(state: State): Promise<Response> {
  const tokens = z.looseObject({}).parse(await newTokens(state).json());
  return Response.json({ ...tokens, refresh_token: undefined });
}

function newTokens(state: State): Response {
  state.count += 1;
  const { count } = state;
  state.valid.add(`access-${count}`);
  return Response.json({
    access_token: `access-${count}`,
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: `refresh-${count}`,
    ...(state.granted === "" ? {} : { scope: state.granted }),
  });
}

const Message = z.looseObject({
  id: z.number().optional(),
  method: z.string(),
  params: z.looseObject({ protocolVersion: z.string().optional() }).optional(),
});

async function answer(request: Request): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const { id, method, params } = Message.parse(await request.json());
  if (id === undefined) return new Response(null, { status: 202 });
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "closed", version: "1" },
    },
    "tools/list": { tools: [{ name: "secret_tool", inputSchema: { type: "object", properties: {} } }] },
    "tools/call": { content: [{ type: "text", text: "let in" }] },
  };
  return Response.json({ jsonrpc: "2.0", id, result: results[method] ?? {} });
}
