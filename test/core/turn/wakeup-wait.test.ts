import { expect, test } from "bun:test";
import { awaitWakeup, wakeupsOf } from "../../../src/core/turn/wakeup-wait.ts";
import { createToolMemory } from "../../../src/tools/memory.ts";

const NEVER = new Promise<void>(() => {});
const state = (at: number) => ({ leftSeconds: 100, next: { at, prompt: "look", reason: "the build" } });
const options = (change: Partial<Parameters<typeof awaitWakeup>[1]> = {}) => ({
  now: () => 1000,
  endsAt: undefined,
  say: () => {},
  spoken: NEVER,
  ...change,
});
const calm = new AbortController().signal;

test("when it is time the model hears its prompt, once, and the user was told of the waiting", async () => {
  const said: string[] = [];
  const one = state(1001);
  const say = (message: string) => void said.push(message);
  expect(await awaitWakeup(one, options({ say }), calm)).toEqual([{ type: "input_text", text: "look" }]);
  expect(one.next).toBeUndefined();
  expect(said).toEqual([
    expect.stringMatching(/^waiting until \d\d:\d\d:\d\d for the wake-up .* asked for: the build$/),
  ]);
});

test("the time that was waited is taken from what may be waited", async () => {
  const times = [1000, 3500];
  const one = state(1001);
  await awaitWakeup(one, options({ now: () => times.shift() ?? 0 }), calm);
  expect(one.leftSeconds).toBe(97.5);
});

test("the user's words end the waiting and leave the wake-up", async () => {
  const one = state(10_000_000);
  expect(await awaitWakeup(one, options({ spoken: Promise.resolve() }), calm)).toBeUndefined();
  expect(one.next?.prompt).toBe("look");
});

test("a wake-up after the end of the turn's time is not waited for", async () => {
  expect(await awaitWakeup(state(5000), options({ endsAt: 5000 }), calm)).toBeUndefined();
});

test("an interrupt ends the waiting with an error", async () => {
  const control = new AbortController();
  const waiting = awaitWakeup(state(10_000_000), options(), control.signal);
  control.abort();
  await expect(waiting).rejects.toThrow("interrupted");
});

test("a run that nobody watches may wait an hour in all, a watched session a day", () => {
  expect(wakeupsOf(createToolMemory(), "exec").leftSeconds).toBe(3600);
  expect(wakeupsOf(createToolMemory(), "tui").leftSeconds).toBe(86_400);
});
