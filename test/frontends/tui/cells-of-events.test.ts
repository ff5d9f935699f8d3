import { expect, test } from "bun:test";
import { cellsOfEvent } from "../../../src/frontends/tui/cells-of-events.ts";

test("a refusal that stops the turn is an interruption, a failure a sentence with what to do", () => {
  const denied = { code: "approval.denied", message: "the user denied a call", retryable: false } as const;
  expect(cellsOfEvent({ type: "turn.failed", turnId: "t", error: denied })).toEqual([
    { kind: "notice", notice: { level: "info", text: "Interrupted." } },
  ]);
  const lost = {
    code: "model.unreachable",
    message: "no answer",
    hint: "start it",
    retryable: true,
  } as const;
  expect(cellsOfEvent({ type: "turn.failed", turnId: "t", error: lost })).toEqual([
    {
      kind: "notice",
      notice: { level: "error", text: "no answer", hint: "start it, or /model for another" },
    },
  ]);
});
