import { expect, test } from "bun:test";
import { Progress } from "../../../src/frontends/tui/progress.ts";
import { userText } from "../../../src/protocol/items.ts";
import { NO_USAGE, type Speed } from "../../../src/protocol/usage.ts";

function usage(speed?: Speed) {
  return {
    type: "usage" as const,
    turn: NO_USAGE,
    total: NO_USAGE,
    last: NO_USAGE,
    contextWindow: 8192,
    ...(speed ? { speed } : {}),
  };
}

test("the speed that a server measured is still known when the turn is over", () => {
  const progress = new Progress(NO_USAGE, () => 0);
  expect(progress.lastSpeed).toEqual({});
  progress.take(usage({ firstTokenMs: 61_200, tokensPerSecond: 14.3 }));
  progress.take({ type: "turn.completed", turnId: "t", usage: NO_USAGE, durationMs: 0 });
  expect(progress.tokensPerSecond).toBeUndefined();
  expect(progress.lastSpeed).toEqual({ firstTokenMs: 61_200, tokensPerSecond: 14.3 });
  progress.take(usage());
  expect(progress.lastSpeed).toEqual({ firstTokenMs: 61_200, tokensPerSecond: 14.3 });
});

test("what a model costs is counted by its price, and another model does not change what was spent", () => {
  const price = { input: 1, cachedInput: 0.1, output: 10 };
  const before = { ...NO_USAGE, input: 1_000_000 };
  const progress = new Progress(before, () => 0, price);
  expect(progress.cost).toBe(1);
  const total = { ...before, input: 2_000_000, cachedInput: 1_000_000, output: 100_000 };
  progress.take({ ...usage(), total });
  expect(progress.cost).toBeCloseTo(2.1);
  const next = new Progress(total, () => 0, { input: 100, cachedInput: 100, output: 100 });
  next.goOnFrom(progress);
  expect(next.cost).toBeCloseTo(2.1);
});

test("without a price there is no cost", () => {
  const progress = new Progress(NO_USAGE, () => 0);
  progress.take({ ...usage(), total: { ...NO_USAGE, input: 5 } });
  expect(progress.cost).toBeUndefined();
});

test("while a model reads a long prompt, it is said how long it is", () => {
  const progress = new Progress(NO_USAGE, () => 0);
  const context = {
    turnId: "t",
    cwd: "/",
    provider: "p",
    model: "m",
    harness: "h",
    approvals: "never",
    sandboxMode: "read-only",
    sandbox: { mode: "off" },
  } as const;
  const said = (text: string) => progress.take({ type: "history.appended", item: userText(text) });
  progress.take({ type: "turn.started", context, input: [] });
  said("short");
  expect(progress.activity).toBe("Working");
  said("x".repeat(40_000));
  expect(progress.activity).toMatch(/^Reading 10\.\dk tokens$/);
  progress.take({ ...usage(), last: { ...NO_USAGE, input: 12_000 } });
  expect(progress.activity).toBe("Reading 12.0k tokens");
  progress.take({ type: "turn.completed", turnId: "t", usage: NO_USAGE, durationMs: 0 });
  expect(progress.activity).toBe("Working");
});

test("of an attempt that failed the count comes first, where a narrow row does not cut it", () => {
  const progress = new Progress(NO_USAGE, () => 0);
  const error = { code: "model.overloaded", message: "unexpected status 503", retryable: true } as const;
  progress.take({ type: "retrying", attempt: 2, of: 5, delayMs: 4000, error });
  expect(progress.activity).toBe("retry 2/5 in 4s · unexpected status 503");
});
