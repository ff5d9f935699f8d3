import { expect, test } from "bun:test";
import type { ModelChoice } from "../../../../src/core/choices/models.ts";
import { modelRows } from "../../../../src/frontends/tui/prompts/model-rows.ts";

const PLAIN: ModelChoice = { id: "own:8b", efforts: [], isLoaded: false, isCloud: false };

test("a model that another machine answers is marked, and its size on this one is not shown", () => {
  const here: ModelChoice = { ...PLAIN, bytes: 5_200_000_000, context: 40_960, tools: true, isLoaded: true };
  const away: ModelChoice = { ...PLAIN, id: "big:cloud", bytes: 384, tools: true, isCloud: true };
  expect(modelRows([here, away])).toEqual([
    "own:8b     5.2 GB  40k  tools, loaded",
    "big:cloud               tools, leaves this machine",
  ]);
});

test("a column that says nothing of any model is left out", () => {
  expect(modelRows([PLAIN, { ...PLAIN, id: "b" }])).toEqual(["own:8b", "b"]);
});
