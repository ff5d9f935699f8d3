import { expect, test } from "bun:test";
import { complete } from "../../src/harness/compose.ts";
import { endings } from "../../src/harness/endings.ts";
import { wrapFirstUser } from "../../src/harness/first-user.ts";
import { assistantText, developerText, type Item, userText } from "../../src/protocol/items.ts";

const NAG = "Make a call.\nAlways.";
const harness = complete({
  id: "x",
  withoutCall: NAG,
  tools: [{ name: "run", description: "Runs.", native: "shell", parameters: {}, endsTurn: "^DONE(?:\\n|$)" }],
});
const call: Item = { type: "tool_call", callId: "a", name: "run", input: { kind: "json", raw: "{}" } };
const result = (text: string, ok = true): Item => ({
  type: "tool_result",
  callId: "a",
  ok,
  content: [{ type: "input_text", text }],
});

test("an answer without a call is told so, three times after the last call", () => {
  const { reply } = endings(harness, undefined);
  const round = [assistantText("well"), userText(NAG)];
  const answer = assistantText("well");
  expect(reply([userText("go"), answer])).toBe(NAG);
  expect(reply([userText("go"), ...round, ...round, answer])).toBe(NAG);
  expect(reply([userText("go"), ...round, ...round, ...round, answer])).toBeUndefined();
  expect(reply([userText("go"), ...round, ...round, ...round, call, result("x"), answer])).toBe(NAG);
});

test("after a result nothing is said", () => {
  expect(endings(harness, undefined).reply([userText("go"), call, result("x")])).toBeUndefined();
});

test("only a good result of the right form ends a turn", () => {
  const { isOver } = endings(harness, undefined);
  expect(isOver([call, result("DONE\nmore")])).toBe(true);
  expect(isOver([call, result("DONE", false)])).toBe(false);
  expect(isOver([call, result("UNDONE")])).toBe(false);
  expect(isOver([{ ...call, name: "other" }, result("DONE")])).toBe(false);
  expect(isOver([call, result("DONE"), assistantText("DONE")])).toBe(false);
});

test("the texts stand around the first words of the user, pictures after them; the items themselves stay", () => {
  const picture = { type: "input_image", imageUrl: "data:image/png;base64,AAAA" } as const;
  const first: Item = {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "go" }, picture],
  };
  const ours = userText("<ours>");
  const items = [developerText("d"), ours, first, userText("more")];
  const wrapped = wrapFirstUser(items, { before: "[", after: "]" }, (item) => item === ours);
  expect(wrapped).toEqual([
    developerText("d"),
    ours,
    { type: "message", role: "user", content: [{ type: "input_text", text: "[go]" }, picture] },
    userText("more"),
  ]);
  expect(first).toMatchObject({ content: [{ text: "go" }, picture] });
});
