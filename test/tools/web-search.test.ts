import { expect, test } from "bun:test";
import { webSearch } from "../../src/tools/web-search.ts";
import { workbench } from "./files/workbench.ts";

/** A search server that answers so, and what it was asked. */
function searchServer(answer: () => Response) {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).search);
      return answer();
    },
  });
  return { url: `${server.url}search?lang=en`, asked, [Symbol.asyncDispose]: () => server.stop(true) };
}

const result = (n: number) => ({
  title: `T${n}`,
  url: `https://example.com/${n}`,
  content: n === 2 ? null : "text",
});

test("the user's search server is asked, and its first results are shown", async () => {
  await using server = searchServer(() => Response.json({ results: [1, 2, 3].map(result) }));
  await using bench = await workbench();
  const found = await bench.ask(webSearch, { query: "a b", limit: 2 }, { searchUrl: server.url });
  expect(found).toBe(
    "Title: T1\nURL: https://example.com/1\ntext\n\n---\n\nTitle: T2\nURL: https://example.com/2",
  );
  expect(server.asked).toEqual(["?lang=en&q=a+b&format=json"]);
});

test("nothing is asked where the network is off, and nobody where no server is set", async () => {
  await using server = searchServer(() => Response.json({ results: [] }));
  await using bench = await workbench();
  const policy = { mode: "external", network: false } as const;
  expect(await bench.ask(webSearch, { query: "a" }, { searchUrl: server.url, policy })).toBe(
    "network access is off in this session, so nothing can be searched",
  );
  expect(await bench.ask(webSearch, { query: "a" })).toBe("no search server is set");
  expect(server.asked).toEqual([]);
});

test("an answer that is none is said", async () => {
  await using bench = await workbench();
  const said = async (answer: () => Response) => {
    await using server = searchServer(answer);
    return await bench.ask(webSearch, { query: "a" }, { searchUrl: server.url });
  };
  expect(await said(() => Response.json({ results: [] }))).toBe("Nothing was found");
  expect(await said(() => new Response("", { status: 429 }))).toBe(
    "the search failed: the server answered with status 429",
  );
  expect(await said(() => Response.json([]))).toBe(
    "the search failed: the answer has no list of results; is its JSON format on?",
  );
  expect(await said(() => Response.redirect("http://127.0.0.1:9/"))).toMatch(/^the search failed: /);
});
