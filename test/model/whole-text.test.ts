import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { wholeText } from "../../src/model/whole-text.ts";

test("a small answer that unpacks to a huge one is given up", async () => {
  const bomb = gzipSync(Buffer.alloc(3_000_000, "é"));
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
  });
  const address = `http://127.0.0.1:${server.port}/api/tags`;
  const ask = async (mostBytes: number) => wholeText(await fetch(`${address}?key=secret`), mostBytes);
  expect(await ask(3_000_000)).toBe("é".repeat(1_500_000));
  await expect(ask(2 ** 20)).rejects.toThrow(`the answer of ${address} is longer than 1 MiB`);
});
