import { expect, test } from "bun:test";
import { fetchPublic, type Way } from "../../../src/tools/web/fetch-public.ts";
import { selfSigned } from "../../support/certificate.ts";

const signal = AbortSignal.timeout(60_000);

/** Every host is this machine, but those that are called private. */
const HERE: Way = { addressOf: async (host) => (host.includes("private") ? undefined : "127.0.0.1") };

function serve(answer: (request: Request) => Response, tls?: { cert: string; key: string }) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer, ...(tls ? { tls } : {}) });
  return {
    at: (path: string, host = "page.test") =>
      new URL(`${tls ? "https" : "http"}://${host}:${server.port}${path}`),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

test("a page is fetched from the checked address under the name that was asked for", async () => {
  await using server = serve((request) => new Response(`hello ${request.headers.get("host")}`));
  const url = server.at("/a");
  expect(await fetchPublic(url, HERE, signal)).toEqual({
    url: url.href,
    text: `hello ${url.host}`,
    type: "text/plain;charset=utf-8",
    isCut: false,
  });
});

test("over https the certificate must be that of the name, not of the address", async () => {
  const good = selfSigned("page.test");
  const way = { ...HERE, certificates: [good.cert] };
  await using server = serve(() => new Response("safe"), good);
  expect(await fetchPublic(server.at("/"), way, signal)).toMatchObject({ text: "safe" });
  expect(await fetchPublic(server.at("/", "other.test"), way, signal)).toHaveProperty("problem");
});

test("a redirect to a host that is not public is not followed", async () => {
  await using server = serve(() => Response.redirect("http://private.test/secret"));
  expect(await fetchPublic(server.at("/"), HERE, signal)).toEqual({
    problem: "private.test was not found, or is not a host of the public internet",
  });
});

test("redirects are followed, but not for ever", async () => {
  await using server = serve((request) =>
    request.url.endsWith("/end") ? new Response("end") : Response.redirect("/end"),
  );
  expect(await fetchPublic(server.at("/start"), HERE, signal)).toMatchObject({ text: "end" });
  await using circle = serve(() => Response.redirect("/again"));
  expect(await fetchPublic(circle.at("/"), HERE, signal)).toEqual({
    problem: `${circle.at("/").href} redirects more than 5 times`,
  });
});

test("what is not text and what is too long is not read to its end", async () => {
  await using server = serve((request) =>
    request.url.endsWith("/long")
      ? new Response("x".repeat(3 * 1024 * 1024), { headers: { "content-type": "text/plain" } })
      : new Response("", { headers: { "content-type": "image/png" } }),
  );
  expect(await fetchPublic(server.at("/picture"), HERE, signal)).toEqual({
    problem: `${server.at("/picture").href} is not text (image/png)`,
  });
  expect(await fetchPublic(server.at("/long"), HERE, signal)).toMatchObject({ isCut: true });
});
