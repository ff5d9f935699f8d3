import { expect, test } from "bun:test";
import { endNotice, reminderFor } from "../../src/harness/reminders.ts";
import type { HarnessReminder } from "../../src/harness/schema.ts";
import { type Item, userText } from "../../src/protocol/items.ts";

const REMINDER: HarnessReminder = { after: 3, tools: ["Todo"], role: "system", text: "Look at the list.\n" };

function step(name: string, id: string): Item[] {
  return [
    { type: "tool_call", callId: id, name, input: { kind: "json", raw: "{}" } },
    { type: "tool_result", callId: id, ok: true, content: [] },
  ];
}

const steps = (count: number) => Array.from({ length: count }, (_, at) => step("Bash", `c${at}`)).flat();
const due = (items: Item[]) => reminderFor([REMINDER], items);

test("a reminder is due once its tool was not called for so many steps", () => {
  const said = { ...userText("Look at the list."), role: "system" } as const;
  expect(due([userText("go"), ...steps(2)])).toBeUndefined();
  expect(due([userText("go"), ...steps(3)])).toEqual(said);
  expect(due([...steps(9), ...step("Todo", "t"), ...steps(2)])).toBeUndefined();
});

test("a reminder that was said is said again only after as many steps", () => {
  const said: Item = { ...userText("Look at the list."), role: "system" };
  expect(due([...steps(5), said, ...steps(2)])).toBeUndefined();
  expect(due([...steps(5), said, ...steps(3)])).toBeDefined();
});

test("a reminder for those who have used a tool is not for others", () => {
  const late = (items: Item[]) => reminderFor([{ ...REMINDER, onceUsed: true }], items);
  expect(late(steps(9))).toBeUndefined();
  expect(late([...step("Todo", "t"), ...steps(3)])).toBeDefined();
});

test("nothing is said between the user's message and the model's first answer", () => {
  expect(due([...steps(5), userText("and now?")])).toBeUndefined();
});

test("the end of a task is told in the harness's words, or not at all", () => {
  const end = { taskId: "7", file: "/t/o.txt", exitCode: 3, command: "make" };
  expect(endNotice("{{taskId}} {{exitCode}} {{file}} {{command}}\n", end)).toEqual(
    userText("7 3 /t/o.txt make"),
  );
  expect(endNotice(undefined, end)).toBeUndefined();
});
