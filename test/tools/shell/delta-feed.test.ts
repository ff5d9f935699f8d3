import { expect, test } from "bun:test";
import { DeltaFeed } from "../../../src/tools/shell/delta-feed.ts";

test("small writes are passed on together", () => {
  const chunks: string[] = [];
  const feed = new DeltaFeed((chunk) => chunks.push(chunk));
  for (const piece of ["a", "b", "c"]) feed.push(piece);
  feed.flush();
  feed.flush();
  expect(chunks).toEqual(["abc"]);
});

test("nobody has to ask for what waits", async () => {
  const first = Promise.withResolvers<string>();
  new DeltaFeed(first.resolve).push("x");
  expect(await first.promise).toBe("x");
});

test("a command passes on at most 10,000 portions", () => {
  let count = 0;
  const feed = new DeltaFeed(() => {
    count++;
  });
  for (let n = 0; n < 10_100; n++) {
    feed.push("x");
    feed.flush();
  }
  expect(count).toBe(10_000);
});
