import { expect, test } from "bun:test";
import { checkHistory } from "../../../src/core/turn/check-history.ts";
import { assistantText, type Item, userText } from "../../../src/protocol/items.ts";

const call = (callId: string): Item => ({
  type: "tool_call",
  callId,
  name: "exec",
  input: { kind: "json", raw: "{}" },
});
const result = (callId: string, text = "fine", ok = true): Item => ({
  type: "tool_result",
  callId,
  ok,
  content: [{ type: "input_text", text }],
});
const aborted = (callId: string) => result(callId, "aborted", false);
const thought: Item = { type: "reasoning", summary: [], text: "hm" };

const VALID: [string, Item[]][] = [
  ["nothing", []],
  ["talk", [userText("a"), assistantText("b"), userText("c")]],
  [
    "an answer with thoughts, text and calls",
    [
      userText("a"),
      thought,
      assistantText("b"),
      call("1"),
      call("2"),
      result("1"),
      result("2"),
      userText("c"),
    ],
  ],
  ["results in the order in which they came", [call("1"), call("2"), result("2"), result("1")]],
  ["the same id in every answer", [call("x"), result("x"), call("x"), result("x")]],
  ["the same id twice in one answer", [call("x"), call("x"), result("x"), result("x")]],
];

for (const [title, items] of VALID) {
  test(`${title}: sent as it is`, () => {
    const checked = checkHistory(items);
    expect(checked.problems).toEqual([]);
    expect(checked.items).toBe(items);
  });
}

test("a call without a result is answered, wherever it stands", () => {
  expect(checkHistory([call("1"), userText("a"), call("2")])).toEqual({
    items: [call("1"), aborted("1"), userText("a"), call("2"), aborted("2")],
    problems: ["the call 1 of exec has no result after it", "the call 2 of exec has no result after it"],
  });
});

test("a result that stands too late comes to its call", () => {
  const checked = checkHistory([call("1"), userText("a"), result("1")]);
  expect(checked.items).toEqual([call("1"), result("1"), userText("a")]);
  expect(checked.problems.length).toBe(2);
});

test("a result that answers nothing is left out", () => {
  expect(checkHistory([userText("a"), result("1")])).toEqual({
    items: [userText("a")],
    problems: ["the result of 1 answers no call before it"],
  });
});

test("a second result of one call is left out", () => {
  expect(checkHistory([call("1"), result("1"), result("1", "again")]).items).toEqual([
    call("1"),
    result("1"),
  ]);
});

test("what was repaired is valid", () => {
  const broken = [result("9"), call("1"), call("2"), result("2"), call("3"), userText("a"), result("3")];
  expect(checkHistory(checkHistory(broken).items).problems).toEqual([]);
});
