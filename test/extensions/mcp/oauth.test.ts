import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SignInOptions, signIn } from "../../../src/extensions/mcp/sign-in.ts";
import { startOauthServer } from "../../support/oauth-server.ts";
import { callText, start } from "./support.ts";

setDefaultTimeout(120_000);

type Folder = { tokensFile: string } & AsyncDisposable;

async function folder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), "mcp-oauth-"));
  return {
    tokensFile: join(path, "tokens.json"),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

const never = new AbortController().signal;

/** Signs in as a person would who follows every address. */
async function signedIn(
  url: string,
  tokensFile: string,
  more: Partial<Pick<SignInOptions, "clientId" | "clientSecret" | "scopes" | "isMachine">> = {},
): Promise<void> {
  const visits: Promise<unknown>[] = [];
  const onAddress = (address: string) => void visits.push(fetch(address).then((page) => page.text()));
  await signIn({ url, tokensFile, scopes: [], onAddress, ...more }, never);
  await Promise.all(visits);
}

test("tokens that have run out are renewed in the middle of a session, and kept", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  await signedIn(server.url, home.tokensFile);
  await using started = await start({ t: { url: server.url } }, {}, home);
  expect(await callText(started.clients, "secret_tool")).toBe("let in");
  server.expireTokens();
  expect(await callText(started.clients, "secret_tool")).toBe("let in");
  expect(JSON.parse(await readFile(home.tokensFile, "utf8"))[server.url].tokens.access_token).toBe(
    "access-2",
  );
});

test("a sign-in that can't be renewed any more is told, and nobody is sent to a browser", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  await signedIn(server.url, home.tokensFile);
  server.expireTokens();
  server.refuseRefresh();
  await using started = await start({ t: { url: server.url } }, {}, home);
  expect(started.clients.statuses().map(({ state, reason }) => `${state}: ${reason}`)).toEqual([
    "failed: its sign-in could not be renewed (invalid_grant); use 'interpreter mcp login t'",
  ]);
  expect(server.seen.filter((request) => request === "GET /authorize")).toHaveLength(1);
});

test("tokens go to the address that they were given for only", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  await using other = startOauthServer();
  await signedIn(server.url, home.tokensFile);
  await using started = await start({ t: { url: other.url } }, {}, home);
  expect(started.warnings).toEqual([
    "MCP server t could not be started: it wants a valid sign-in (HTTP 401): use 'interpreter mcp login t', or set bearer_token_env_var",
  ]);
});

test("a client id of the user's own is used, and nobody registers", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  await signedIn(server.url, home.tokensFile, { clientId: "known-client" });
  expect(server.seen).not.toContain("POST /register");
  expect(JSON.parse(await readFile(home.tokensFile, "utf8"))[server.url].client.client_id).toBe(
    "known-client",
  );
});

test.each(["client_secret_basic", "client_secret_post"] as const)(
  "a client's secret is shown to the authority as %s, when signing in and when renewing, and is not written down",
  async (authMethod) => {
    await using home = await folder();
    await using server = startOauthServer({ authMethod });
    await signedIn(server.url, home.tokensFile, { clientId: "app", clientSecret: "s3cret" });
    const entry = { url: server.url, oauth: { client_id: "app", client_secret_env_var: "APP_SECRET" } };
    await using started = await start({ t: entry }, { APP_SECRET: "s3cret" }, home);
    server.expireTokens();
    expect(await callText(started.clients, "secret_tool")).toBe("let in");
    expect(server.clients).toEqual(["app:s3cret", "app:s3cret"]);
    expect(await readFile(home.tokensFile, "utf8")).not.toContain("s3cret");
  },
);

test("a program that has an id and a secret signs in as itself, again when the tokens run out, and nobody is sent away", async () => {
  await using home = await folder();
  await using server = startOauthServer({ authMethod: "client_secret_basic" });
  const own = { clientId: "app", clientSecret: "s3cret", isMachine: true };
  await signedIn(server.url, home.tokensFile, own);
  const entry = { url: server.url, oauth: { client_id: "app", client_secret_env_var: "APP_SECRET" } };
  await using started = await start({ t: entry }, { APP_SECRET: "s3cret" }, home);
  expect(await callText(started.clients, "secret_tool")).toBe("let in");
  server.expireTokens();
  expect(await callText(started.clients, "secret_tool")).toBe("let in");
  expect(server.clients).toEqual(["app:s3cret", "app:s3cret"]);
  expect(server.seen.filter((one) => /authorize|register/.test(one))).toEqual([]);
  expect(await readFile(home.tokensFile, "utf8")).not.toContain("s3cret");
});

test("a program without a secret can't sign in as itself", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  expect(
    await signedIn(server.url, home.tokensFile, { clientId: "app", isMachine: true }).catch(String),
  ).toBe(`AppError: client_credentials want an id and a secret for ${server.url}, and one is missing`);
  expect(server.seen).toEqual([]);
});

test("a client id that is an address is used where documents are read, else we register", async () => {
  await using home = await folder();
  await using reads = startOauthServer({ readsDocuments: true });
  await using registers = startOauthServer();
  const clientId = "https://example.com/client.json";
  for (const { url } of [reads, registers]) await signedIn(url, home.tokensFile, { clientId });
  expect([reads.clients, registers.clients]).toEqual([[clientId], ["client-1"]]);
});

test("a server that wants more rights is told to the model, and the next sign-in asks for them too", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  await signedIn(server.url, home.tokensFile, { scopes: ["read"] });
  await using started = await start({ t: { url: server.url } }, {}, home);
  server.wantScope("write");
  expect(await callText(started.clients, "secret_tool")).toBe(
    "error: it wants more rights than it was given (write): the user can give them with 'interpreter mcp login t'",
  );
  await signedIn(server.url, home.tokensFile);
  expect(server.askedScopes).toEqual(["read", "read write"]);
  expect(await callText(started.clients, "secret_tool")).toBe("let in");
});

test("a server that could not be started for want of a sign-in is there once the person has signed in", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  await using started = await start({ t: { url: server.url } }, {}, home);
  const { clients } = started;
  expect([clients.tools(), clients.statuses().map(({ state }) => state)]).toEqual([[], ["failed"]]);
  const { promise, resolve } = Promise.withResolvers<void>();
  clients.onChange(resolve);
  await signedIn(server.url, home.tokensFile);
  clients.tools();
  await promise;
  expect(clients.tools().map(({ tool }) => tool)).toEqual(["secret_tool"]);
  expect(await callText(clients, "secret_tool")).toBe("let in");
});

test("calls that are refused together renew the tokens once", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  await signedIn(server.url, home.tokensFile);
  await using started = await start({ t: { url: server.url } }, {}, home);
  server.expireTokens();
  const texts = await Promise.all([1, 2, 3].map(() => callText(started.clients, "secret_tool")));
  expect(texts).toEqual(["let in", "let in", "let in"]);
  expect(server.seen.filter((request) => request === "POST /token")).toHaveLength(2);
});

test("an answer without our state is not a sign-in", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  const control = new AbortController();
  const statuses: number[] = [];
  const onAddress = async (address: string) => {
    const back = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", "code-1");
    back.searchParams.set("state", "guessed");
    statuses.push((await fetch(back)).status);
    control.abort();
  };
  const outcome = await signIn(
    {
      url: server.url,
      tokensFile: home.tokensFile,
      scopes: [],
      onAddress: (address) => void onAddress(address),
    },
    control.signal,
  ).catch(String);
  expect([statuses, outcome]).toEqual([[400], "AppError: interrupted"]);
  expect(server.seen).not.toContain("POST /token");
});

test("a refusal by the authority is told in its words", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  const onAddress = (address: string) => {
    const { searchParams } = new URL(address);
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("state", searchParams.get("state") ?? "");
    void fetch(back).then((page) => page.text());
  };
  const options = { url: server.url, tokensFile: home.tokensFile, scopes: [], onAddress };
  expect(await signIn(options, never).catch(String)).toBe("AppError: the sign-in was refused: access_denied");
});

test.each([
  [
    "http://169.254.169.254",
    "it sends us to 169.254.169.254, which lies inside your own machine or network while the server does not",
  ],
  ["ftp://files.example.org", "it names ftp:, which is not a web address"],
])("an authority that a server must not send us to is not asked: %s", async (authority, why) => {
  await using home = await folder();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url }) {
      const { pathname, origin } = new URL(url);
      if (!pathname.startsWith("/.well-known/oauth-protected-resource"))
        return new Response(null, { status: 404 });
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [authority] });
    },
  });
  const url = `http://127.0.0.1:${server.port}/mcp`;
  const shown: string[] = [];
  const onAddress = (address: string) => void shown.push(address);
  const outcome = await signIn({ url, tokensFile: home.tokensFile, scopes: [], onAddress }, never).catch(
    String,
  );
  await server.stop(true);
  expect([outcome, shown]).toEqual([`AppError: signing in at ${url} failed: ${why}`, []]);
});

/** A server whose authority answers about itself with what it is told to. */
function serverWith(answer: (pathname: string, origin: string) => Response | Promise<Response> | undefined) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const { pathname, origin } = new URL(url);
      return answer(pathname, origin) ?? new Response(null, { status: 404 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}/mcp`, [Symbol.asyncDispose]: () => server.stop(true) };
}

const isAboutAuthority = (pathname: string) => pathname.startsWith("/.well-known/oauth-authorization-server");
const dripping = () =>
  new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), {
    headers: { "content-type": "application/json" },
  });

test("on an air-gapped machine no browser is sent to a page outside", async () => {
  await using home = await folder();
  await using server = serverWith((pathname, origin) =>
    isAboutAuthority(pathname)
      ? Response.json({
          issuer: origin,
          authorization_endpoint: "https://login.example.com/authorize",
          token_endpoint: `${origin}/token`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        })
      : undefined,
  );
  const { url } = server;
  const shown: string[] = [];
  const stop = new AbortController();
  const onAddress = (address: string) => {
    shown.push(new URL(address).host);
    stop.abort();
  };
  const known = { url, tokensFile: home.tokensFile, clientId: "us", scopes: [], onAddress };
  const outcome = await signIn({ ...known, isAirGapped: true }, never).catch(String);
  expect([outcome, shown]).toEqual([
    `AppError: the sign-in page of ${url} is not opened: air_gapped = true forbids login.example.com, which is not in the private network`,
    [],
  ]);
  await signIn(known, stop.signal).catch(() => undefined);
  expect(shown).toEqual(["login.example.com"]);
});

test.each([
  ["never", () => new Promise<Response>(() => {})],
  ["in drops", dripping],
])("an authority that answers %s is given up", async (_, answer) => {
  await using home = await folder();
  await using server = serverWith((pathname) => (isAboutAuthority(pathname) ? answer() : undefined));
  const { url } = server;
  const options = { url, tokensFile: home.tokensFile, scopes: [], onAddress: () => {}, timeoutMs: 1_000 };
  expect(await signIn(options, never).catch(String)).toBe(
    `AppError: signing in at ${url} failed: ${new URL(url).host} did not answer within 1 s`,
  );
});

test("who interrupts a sign-in need not wait for an authority", async () => {
  await using home = await folder();
  const control = new AbortController();
  await using server = serverWith((pathname) => {
    if (!isAboutAuthority(pathname)) return undefined;
    control.abort();
    return new Promise(() => {});
  });
  const options = { url: server.url, tokensFile: home.tokensFile, scopes: [], onAddress: () => {} };
  expect(await signIn(options, control.signal).catch(String)).toBe("AppError: interrupted");
});

test("an authority that describes itself wrongly is told in one line, and nothing is opened", async () => {
  await using home = await folder();
  await using server = serverWith((pathname, origin) => {
    if (!isAboutAuthority(pathname)) return undefined;
    const endpoints = { authorization_endpoint: "javascript:alert(1)", token_endpoint: `${origin}/token` };
    return Response.json({ issuer: origin, ...endpoints, response_types_supported: ["code"] });
  });
  const shown: string[] = [];
  const onAddress = (address: string) => void shown.push(address);
  const options = { url: server.url, tokensFile: home.tokensFile, scopes: [], onAddress };
  expect(await signIn(options, never).catch(String)).toStartWith(
    `AppError: signing in at ${server.url} failed: authorization_endpoint: `,
  );
  expect(shown).toEqual([]);
});

test("a server without sign-in is told apart", async () => {
  await using home = await folder();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(null, { status: 404 }),
  });
  const url = `http://127.0.0.1:${server.port}/mcp`;
  const options = { url, tokensFile: home.tokensFile, scopes: [], onAddress: () => {} };
  const outcome = await signIn(options, never).catch(String);
  await server.stop(true);
  expect(outcome).toStartWith(`AppError: signing in at ${url} failed: `);
});
