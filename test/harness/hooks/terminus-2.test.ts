import { expect, test } from "bun:test";
import { terminus2 } from "../../../src/harness/hooks/terminus-2.ts";
import { assistantText, userText } from "../../../src/protocol/items.ts";

const answer = (fields: object) => JSON.stringify({ analysis: "a", plan: "p", ...fields });
const calls = (text: string) => terminus2.callsIn(text, []);
const reply = (text: string) => terminus2.reply([userText("go"), assistantText(text)]);

test("the commands of an answer are one call", () => {
  const commands = [{ keystrokes: "ls\n", duration: 0.5 }, { keystrokes: "C-c" }];
  expect(calls(answer({ commands }))).toEqual([{ name: "terminal", parameters: { commands } }]);
});

test("a fence is not text around the object, words are", () => {
  const commands = [{ keystrokes: "ls\n" }];
  const text = answer({ commands });
  expect(calls(`\`\`\`json\n${text}\n\`\`\``)).toEqual([{ name: "terminal", parameters: { commands } }]);
  const note = "Warning: there was text around the JSON, which nobody reads";
  expect(calls(`So: ${text}`)).toEqual([{ name: "terminal", parameters: { commands, note } }]);
});

test("an answer that was cut off is not guessed at", () => {
  const cut = '{"analysis": "a", "plan": "p", "commands": [{"keystrokes": "rm -r x"}';
  expect(calls(cut)).toEqual([]);
  expect(reply(cut)).toContain("can't be read");
});

const PROBLEMS: readonly [fields: object, problem: string][] = [
  [{ analysis: 1, commands: [] }, "- analysis is missing"],
  [{ plan: undefined, commands: [] }, "- plan is missing"],
  [{ commands: "ls" }, "- commands is not a list"],
  [{ commands: [{ keys: "ls" }] }, "- each command needs keystrokes"],
  [{ commands: [] }, "- commands is empty"],
];
for (const [fields, problem] of PROBLEMS)
  test(`told to the model: ${problem}`, () => {
    expect(reply(answer(fields))).toContain(problem);
    expect(calls(answer(fields))).toEqual([]);
  });

test("a task is complete when it was said twice, and the user has said nothing in between", () => {
  const complete = assistantText(answer({ commands: [], task_complete: "true" }));
  const first = [userText("go"), complete];
  const question = terminus2.reply(first) ?? "";
  expect(question).toContain("You say that the task is complete.");
  expect(terminus2.reply([...first, userText(question), complete])).toBeUndefined();
  expect(terminus2.reply([...first, userText(question), complete, userText("and now?"), complete])).toBe(
    question,
  );
});
