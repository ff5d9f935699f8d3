import { expect, test } from "bun:test";
import { Budget, budgetReminder, costOf } from "../../../src/core/turn/budget.ts";
import { textOf } from "../../../src/protocol/items.ts";
import { NO_USAGE } from "../../../src/protocol/usage.ts";

const NOTHING = { turns: 0, usage: NO_USAGE };
const used = (input: number, output: number, cachedInput = 0) => ({
  ...NO_USAGE,
  input,
  output,
  cachedInput,
});

test("a budget without limits is never used up", () => {
  const budget = new Budget({ run: {}, session: {}, before: NOTHING });
  budget.spend(used(1e9, 1e9));
  expect([budget.reached, budget.takeWarnings()]).toEqual([undefined, []]);
});

test("answers count as turns, and the limit of this run names its option", () => {
  const budget = new Budget({ run: { turns: 2 }, session: {}, before: { turns: 9, usage: NO_USAGE } });
  budget.spend(NO_USAGE);
  expect(budget.reached).toBeUndefined();
  budget.spend(NO_USAGE);
  expect(budget.reached).toEqual({
    scope: "run",
    limit: "turns",
    used: 2,
    max: 2,
    message: "stopped: the budget of this run is used up: 2 of 2 model requests (--max-turns)",
  });
});

test("tokens are input and output, and cached ones count once", () => {
  const budget = new Budget({ run: { tokens: 1000 }, session: {}, before: NOTHING });
  budget.spend(used(900, 99, 800));
  expect(budget.reached).toBeUndefined();
  budget.spend(used(900, 1, 899));
  expect(budget.reached).toMatchObject({ limit: "tokens", used: 1900, max: 1000 });
});

test("cost follows the three prices", () => {
  const price = { input: 1, cachedInput: 0.1, output: 10 };
  expect(costOf(used(1_000_000, 100_000, 500_000), price)).toBeCloseTo(0.5 + 0.05 + 1, 9);
  const budget = new Budget({ run: { cost: 1.5 }, session: {}, before: NOTHING, price });
  budget.spend(used(1_000_000, 100_000, 500_000));
  expect(budget.reached?.message).toBe(
    "stopped: the budget of this run is used up: 1.55 of 1.5 cost (--max-cost)",
  );
});

test("the budget of a session counts what earlier runs have used, and names its key", () => {
  const before = { turns: 4, usage: used(500, 100) };
  const budget = new Budget({ run: {}, session: { turns: 9, tokens: 700 }, before });
  expect(budget.reached).toBeUndefined();
  budget.spend(used(90, 10));
  expect(budget.reached).toMatchObject({
    scope: "session",
    limit: "tokens",
    message: "stopped: the budget of this session is used up: 700 of 700 tokens (budget.max_tokens)",
  });
});

test("at four fifths each budget is reported once", () => {
  const budget = new Budget({ run: { tokens: 1000 }, session: { turns: 5 }, before: NOTHING });
  budget.spend(used(700, 99));
  expect(budget.takeWarnings()).toEqual([]);
  budget.spend(used(1, 0));
  const warnings = ["the budget of this run is nearly used up: 800 of 1,000 tokens"];
  expect(budget.takeWarnings()).toEqual(warnings);
  for (let turn = 0; turn < 2; turn++) budget.spend(NO_USAGE);
  expect(budget.takeWarnings()).toEqual([
    "the budget of this session is nearly used up: 4 of 5 model requests",
  ]);
  const [part] = [budgetReminder(warnings)];
  expect(part.type === "message" ? textOf(part.content) : "").toContain("800 of 1,000 tokens. Finish");
});
