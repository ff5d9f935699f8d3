import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signIn } from "../../../src/extensions/mcp/sign-in.ts";
import { startOauthServer } from "../../support/oauth-server.ts";
import { callText, start } from "./support.ts";

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
async function signedIn(url: string, tokensFile: string, clientId?: string): Promise<void> {
  const visits: Promise<unknown>[] = [];
  const onAddress = (address: string) => void visits.push(fetch(address).then((page) => page.text()));
  await signIn({ url, tokensFile, clientId, scopes: [], onAddress }, never);
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
    "failed: its sign-in could not be renewed (invalid_grant); use 'interpreter mcp login'",
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
    "MCP server t could not be started: it wants a valid sign-in (HTTP 401): use 'interpreter mcp login', or set bearer_token_env_var",
  ]);
});

test("a client id of the user's own is used, and nobody registers", async () => {
  await using home = await folder();
  await using server = startOauthServer();
  await signedIn(server.url, home.tokensFile, "known-client");
  expect(server.seen).not.toContain("POST /register");
  expect(JSON.parse(await readFile(home.tokensFile, "utf8"))[server.url].client.client_id).toBe(
    "known-client",
  );
});

test("an answer without our state is no sign-in", async () => {
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
