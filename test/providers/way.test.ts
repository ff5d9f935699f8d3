import { expect, test } from "bun:test";
import { join } from "node:path";
import { trustedCertificates } from "../../src/providers/certificates.ts";
import { listModels } from "../../src/providers/model-list.ts";
import { resolveProvider } from "../../src/providers/resolve.ts";
import type { Env, ProviderValues } from "../../src/providers/settings.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import { selfSigned } from "../support/certificate.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { startProxy } from "../support/proxy-server.ts";

const never = new AbortController().signal;
const MODELS = { object: "list", data: [{ id: "model-1" }] };
const { cert, key } = selfSigned("model.example", "127.0.0.1");

function startServer(tls?: { cert: string; key: string }) {
  const hosts: (string | null)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls ? { tls } : {}),
    fetch(request) {
      hosts.push(request.headers.get("host"));
      return Response.json(MODELS);
    },
  });
  return { port: server.port ?? 0, hosts, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** The ids that the server at `base_url` lists, or what went wrong. */
async function ask(home: TempHome, base_url: string, env: Env) {
  const values: ProviderValues = { model_providers: { mine: { base_url, wire_api: "chat" } } };
  const provider = await resolveProvider({ values, id: "mine", env, originator: "test", version: "1" });
  try {
    const { models } = await listModels(provider, { home: home.path, now: () => new Date() }, never);
    return models.map(({ id }) => id);
  } catch (cause) {
    const { code, message, hint } = toErrorInfo(cause);
    return { code, message, hint };
  }
}

for (const scheme of ["http", "https"]) {
  test(`an ${scheme} address is reached through the proxy of the environment`, async () => {
    await using home = await tempHome();
    await using server = startServer(scheme === "https" ? { cert, key } : undefined);
    await using proxy = await startProxy(server.port);
    const env = {
      [`${scheme}_proxy`]: proxy.url,
      CODEX_CA_CERTIFICATE: await home.write("~/ca.pem", cert),
    };
    expect(await ask(home, `${scheme}://model.example/v1`, env)).toEqual(["model-1"]);
    const line = scheme === "https" ? "CONNECT model.example:443" : "GET http://model.example/v1/models";
    expect([proxy.requests, server.hosts]).toEqual([[`${line} HTTP/1.1`], ["model.example"]]);
  });
}

test("a server of this machine is reached past every proxy, whatever its address is called", async () => {
  await using home = await tempHome();
  await using server = startServer();
  await using proxy = await startProxy(server.port);
  const env = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, ALL_PROXY: proxy.url };
  const answers = ["127.0.0.1", "localhost"].map((host) =>
    ask(home, `http://${host}:${server.port}/v1`, env),
  );
  expect(await Promise.all(answers)).toEqual([["model-1"], ["model-1"]]);
  expect(proxy.requests).toEqual([]);
});

test("an unreachable proxy is named, without the password in its address", async () => {
  await using home = await tempHome();
  const env = { HTTP_PROXY: "http://me:secret@127.0.0.1:1" };
  const failure = await ask(home, "http://model.example/v1", env);
  expect(failure).toMatchObject({
    code: "model.unreachable",
    hint: "requests go through the proxy 127.0.0.1:1; check it, or name the server in NO_PROXY",
  });
  expect(JSON.stringify(failure)).not.toContain("secret");
});

for (const variable of ["CODEX_CA_CERTIFICATE", "SSL_CERT_FILE"]) {
  test(`a server with a certificate of one's own is trusted through ${variable}`, async () => {
    await using home = await tempHome();
    await using server = startServer({ cert, key });
    const other = selfSigned("other.example").cert;
    const file = await home.write("~/ca.pem", `# ours\n${other}\n${cert}`);
    expect(await ask(home, `https://127.0.0.1:${server.port}/v1`, { [variable]: file })).toEqual(["model-1"]);
  });
}

test("a server with an unknown certificate is refused, with the way to trust it", async () => {
  await using home = await tempHome();
  await using server = startServer({ cert, key });
  const other = await home.write("~/ca.pem", selfSigned("other.example").cert);
  const baseUrl = `https://127.0.0.1:${server.port}/v1`;
  const hint =
    "name a file with the certificate of your proxy or server in CODEX_CA_CERTIFICATE, if you trust it";
  expect(await ask(home, baseUrl, {})).toMatchObject({ code: "model.unreachable", hint });
  expect(await ask(home, baseUrl, { SSL_CERT_FILE: other })).toMatchObject({
    code: "model.unreachable",
    hint,
  });
  expect(server.hosts).toEqual([]);
});

test("the user's certificates are added to the built-in ones, and CODEX_CA_CERTIFICATE comes first", async () => {
  await using home = await tempHome();
  const file = await home.write("~/ca.pem", cert);
  const trusted = (await trustedCertificates({ CODEX_CA_CERTIFICATE: file, SSL_CERT_FILE: "/none" })) ?? [];
  expect([trusted.length > 50, trusted.at(-1)]).toEqual([true, cert.trim()]);
  expect(await trustedCertificates({})).toBeUndefined();
});

test("a certificate file that can't be used is named with what is wrong", async () => {
  await using home = await tempHome();
  const empty = await home.write("~/empty.pem", "no certificate\n");
  const damaged = await home.write("~/damaged.pem", `${cert}${cert.replace(/\n.{10}/, "\nAAAAAAAAAA")}`);
  const problems = [join(home.path, "none.pem"), empty, damaged].map(async (file) => {
    const cause = await trustedCertificates({ SSL_CERT_FILE: file }).catch((error: unknown) => error);
    return toErrorInfo(cause).message.replace(home.path, "");
  });
  expect(await Promise.all(problems)).toEqual([
    "SSL_CERT_FILE names /none.pem, which can't be read",
    "SSL_CERT_FILE names /empty.pem, which holds no certificate in PEM form",
    "SSL_CERT_FILE names /damaged.pem, which holds a damaged certificate (number 2)",
  ]);
});
