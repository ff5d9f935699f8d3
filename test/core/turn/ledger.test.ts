import { expect, test } from "bun:test";
import { Budget } from "../../../src/core/turn/budget.ts";
import { Ledger } from "../../../src/core/turn/ledger.ts";
import { estimateItemTokens } from "../../../src/model/tokens.ts";
import { assistantText, userText } from "../../../src/protocol/items.ts";
import { NO_USAGE } from "../../../src/protocol/usage.ts";

const usage = { ...NO_USAGE, input: 100, output: 20, cachedInput: 60 };
const long = userText("x".repeat(4000));
const history = [userText("hello"), assistantText("hi")];

function ledger(limit = 1e9) {
  const budget = new Budget({ run: { tokens: limit }, session: {}, before: { turns: 0, usage: NO_USAGE } });
  return new Ledger({ usage, budget, fixedTokens: () => 1000 });
}

test("the total goes on from what earlier runs have used", () => {
  const one = ledger();
  expect(one.account(usage, history)).toEqual(usage);
  expect(one.total).toEqual({ ...NO_USAGE, input: 200, output: 40, cachedInput: 120 });
});

test("the window holds what the server counted, and an estimate of what came since", () => {
  const one = ledger();
  one.account(usage, history);
  expect(one.windowTokens(history)).toBe(120);
  expect(one.windowTokens([...history, long])).toBe(120 + estimateItemTokens(long));
});

test("where nothing was counted, instructions, tools and all items are estimated", () => {
  const one = ledger();
  const all = history.reduce((sum, item) => sum + estimateItemTokens(item), 0);
  expect(one.windowTokens(history)).toBe(1000 + all);
  one.account(usage, history);
  one.restart();
  expect(one.windowTokens(history)).toBe(1000 + all);
});

test("a server that reports no usage does not make the budget endless", () => {
  const one = ledger(2000);
  one.send(1);
  expect(one.account(undefined, [long, assistantText("hi")])).toEqual(NO_USAGE);
  expect(one.total).toEqual(usage);
  expect(one.budget.reached?.used).toBe(1000 + 1004 + 5);
});
