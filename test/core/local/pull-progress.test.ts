import { expect, test } from "bun:test";
import { PullTotals, plainPullDisplay } from "../../../src/core/local/pull-progress.ts";

const MB = 1_000_000;

test("the rate tells what this download brings, not what was there before it", () => {
  let now = 0;
  const totals = new PullTotals(() => now);
  totals.take({ status: "", layer: "a", total: 100 * MB, completed: 40 * MB });
  expect(totals.text()).toBe("40.0 MB of 100 MB");
  now = 2_000;
  totals.take({ status: "", layer: "a", total: 100 * MB, completed: 60 * MB });
  expect(totals.text()).toBe("60.0 MB of 100 MB, 10.0 MB/s");
  totals.take({ status: "", layer: "b", total: 20 * MB, completed: 20 * MB });
  expect(totals.text()).toBe("80.0 MB of 120 MB, 10.0 MB/s");
});

test("a layer that is taken up again does not count twice", () => {
  let now = 0;
  const totals = new PullTotals(() => now);
  for (const completed of [0, 30 * MB, 30 * MB, 60 * MB])
    totals.take({ status: "", layer: "a", total: 60 * MB, completed });
  now = 6_000;
  expect(totals.text()).toBe("60.0 MB of 60.0 MB, 10.0 MB/s");
});

test("lines for a log: one for each step, and for each tenth of a layer", () => {
  const lines: string[] = [];
  const display = plainPullDisplay(
    (text) => lines.push(text),
    () => 0,
  );
  display.show({ status: "pulling manifest" });
  for (const completed of [0, 1, 9, 10, 55, 100])
    display.show({ status: "pulling a", layer: "a", total: 100, completed });
  expect(lines).toEqual([
    "pulling manifest\n",
    "pulling a: 0% (0 B of 100 B)\n",
    "pulling a: 10% (10 B of 100 B)\n",
    "pulling a: 50% (55 B of 100 B)\n",
    "pulling a: 100% (100 B of 100 B)\n",
  ]);
});
