import { expect, test } from "bun:test";
import { assistantText, developerText, type Item, userText } from "../../src/protocol/items.ts";
import { repairHistory } from "../../src/sessions/repair.ts";
import { pick, randomFrom, randomHistory } from "./random.ts";
import { callOf, flaws, resultOf } from "./support.ts";

const ABORTED = (id: string) => resultOf(id, "aborted", false);
const THOUGHT: Item = { type: "reasoning", summary: ["hm"] };

function repaired(...items: Item[]) {
  return repairHistory(items);
}

test("a valid history stays as it is", () => {
  const items = [
    userText("u"),
    THOUGHT,
    callOf("a"),
    callOf("b"),
    resultOf("a", "1"),
    resultOf("b", "2"),
    THOUGHT,
    assistantText("x"),
  ];
  expect(repairHistory(items)).toEqual({ history: items, repairedCalls: 0 });
});

test("results that came in another order than their calls stay where they are", () => {
  const items = [callOf("a"), callOf("b"), resultOf("b", "2"), resultOf("a", "1"), userText("u")];
  expect(repaired(...items)).toEqual({ history: items, repairedCalls: 0 });
});

test("results that stand elsewhere come behind their calls, in the order of these", () => {
  expect(
    repaired(
      callOf("a"),
      callOf("b"),
      developerText("note"),
      resultOf("b", "2"),
      userText("u"),
      resultOf("a", "1"),
    ),
  ).toEqual({
    history: [
      callOf("a"),
      callOf("b"),
      resultOf("a", "1"),
      resultOf("b", "2"),
      developerText("note"),
      userText("u"),
    ],
    repairedCalls: 0,
  });
});

test("calls without a result get one that says so, wherever the record stops", () => {
  expect(repaired(callOf("a"), callOf("b"), resultOf("b", "2"), callOf("c"))).toEqual({
    history: [callOf("a"), callOf("b"), ABORTED("a"), resultOf("b", "2"), callOf("c"), ABORTED("c")],
    repairedCalls: 2,
  });
});

test("what the model said after a call whose result is lost comes after the stand-in", () => {
  expect(repaired(callOf("a"), THOUGHT, callOf("b"), resultOf("b", "2"), assistantText("x")).history).toEqual(
    [callOf("a"), ABORTED("a"), THOUGHT, callOf("b"), resultOf("b", "2"), assistantText("x")],
  );
});

test("a second result and a result without a call are dropped", () => {
  expect(repaired(resultOf("x", "0"), callOf("a"), resultOf("a", "1"), resultOf("a", "again"))).toEqual({
    history: [callOf("a"), resultOf("a", "1")],
    repairedCalls: 2,
  });
});

test("call ids that are used again in each answer are told apart by their place", () => {
  expect(
    repaired(callOf("0"), userText("u"), callOf("0"), resultOf("0", "2"), callOf("0"), resultOf("0", "3")),
  ).toEqual({
    history: [
      callOf("0"),
      ABORTED("0"),
      userText("u"),
      callOf("0"),
      resultOf("0", "2"),
      callOf("0"),
      resultOf("0", "3"),
    ],
    repairedCalls: 1,
  });
});

test("thoughts that were cut off from their answer are dropped", () => {
  expect(repaired(userText("u"), THOUGHT, userText("v"), THOUGHT, callOf("a"), THOUGHT).history).toEqual([
    userText("u"),
    userText("v"),
    THOUGHT,
    callOf("a"),
    ABORTED("a"),
  ]);
});

test("whatever items are lost, doubled or moved, the result is valid, and repairing it again changes nothing", () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = randomFrom(seed);
    const items = randomHistory(random, 8);
    for (let n = 0; n < 6; n++) {
      const at = random(items.length);
      const [item] = items.splice(at, 1);
      if (item === undefined) continue;
      if (random(3) > 0) items.splice(random(items.length + 1), 0, item);
      if (random(3) === 0) items.splice(at, 0, pick(random, items));
    }
    const { history } = repairHistory(items);
    expect(flaws(history)).toEqual([]);
    expect(repairHistory(history)).toEqual({ history, repairedCalls: 0 });
  }
});
