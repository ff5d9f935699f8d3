import { expect, test } from "bun:test";
import { withMeasuredSpeed } from "../../../src/core/local/measured-speed.ts";
import type { ModelEvent, ModelRequest } from "../../../src/model/types.ts";

const REQUEST: ModelRequest = {
  model: "m",
  instructions: "",
  items: [],
  tools: [],
  parallelToolCalls: false,
  rescueToolCalls: false,
  reasoning: {},
  cacheKey: "",
  layout: {},
  extraBody: {},
  extraHeaders: {},
};
const USAGE = { input: 10, cachedInput: 0, cacheWrite: 0, output: 30, reasoning: 0 };

/** The last event of an answer whose events come at these times. */
async function last(timed: readonly [at: number, event: ModelEvent][]): Promise<ModelEvent | undefined> {
  let now = 0;
  const stream = withMeasuredSpeed(
    async function* () {
      for (const [at, event] of timed) {
        now = at;
        yield event;
      }
    },
    () => now,
  );
  const events = await Array.fromAsync(stream(REQUEST, new AbortController().signal));
  return events.at(-1);
}

const FINISHED = { type: "finished", stop: "end", usage: USAGE } as const;

test("the time to the first word and the rate after it are measured", async () => {
  const end = await last([
    [100, { type: "started" }],
    [400, { type: "text", delta: "a" }],
    [1_900, FINISHED],
  ]);
  expect(end).toEqual<ModelEvent>({ ...FINISHED, speed: { firstTokenMs: 400, tokensPerSecond: 20 } });
});

test("without a rate nothing is claimed, and what a server tells itself is kept", async () => {
  const sudden = await last([
    [250, { type: "text", delta: "a" }],
    [250, FINISHED],
  ]);
  expect(sudden).toEqual<ModelEvent>({ ...FINISHED, speed: { firstTokenMs: 250 } });
  const told = { ...FINISHED, speed: { tokensPerSecond: 7 } } as const;
  const kept = await last([
    [1, { type: "text", delta: "a" }],
    [2, told],
  ]);
  expect(kept).toEqual<ModelEvent>(told);
});
