import { expect, test } from "bun:test";
import { scheduleWakeup } from "../../src/tools/schedule-wakeup.ts";
import { wakeups } from "../../src/tools/wakeup-state.ts";
import { workbench } from "./files/workbench.ts";

test("a wake-up is kept with its prompt, a later one takes its place, and it can be taken back", async () => {
  await using bench = await workbench();
  const state = bench.ctx.memory.get(wakeups);
  await bench.call(scheduleWakeup, { delaySeconds: 60, prompt: "look again", reason: "the build" });
  expect(state.next).toMatchObject({ prompt: "look again", reason: "the build" });
  await bench.call(scheduleWakeup, { delaySeconds: 60, reason: "the tests" });
  expect(state.next).toMatchObject({ prompt: "the tests", reason: "the tests" });
  expect((await bench.call(scheduleWakeup, { noop: true })).fields).toEqual({ case: "unchanged" });
  expect(state.next).toBeDefined();
  expect((await bench.call(scheduleWakeup, { stop: true })).fields).toEqual({ case: "stopped" });
  expect(state.next).toBeUndefined();
});

test("the time is kept within bounds, and all waiting together too", async () => {
  await using bench = await workbench();
  const ask = async (delaySeconds?: number) =>
    (await bench.call(scheduleWakeup, { delaySeconds, prompt: "x" })).fields;
  expect(await ask(-5)).toEqual({ case: "scheduled", seconds: 1 });
  expect(await ask(99_999)).toEqual({ case: "scheduled", seconds: 3600 });
  expect(await ask()).toEqual({ case: "missing" });
  bench.ctx.memory.get(wakeups).leftSeconds = 30;
  expect(await ask(31)).toEqual({ case: "too_long" });
});
