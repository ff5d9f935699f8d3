import { expect, test } from "bun:test";
import { Progress } from "../../../src/frontends/tui/progress.ts";
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
