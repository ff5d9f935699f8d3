import { expect, test } from "bun:test";
import { dueItems, type LastWordsParts, lastWords } from "../../../src/core/turn/last-words.ts";
import { textOf, userText } from "../../../src/protocol/items.ts";

const quiet = new AbortController().signal;
const end = { taskId: "a", file: "/f", exitCode: 0, command: "c" };
const text = (words: string) => [{ type: "input_text" as const, text: words }];

function words(change: Partial<LastWordsParts> = {}) {
  const parts: LastWordsParts = {
    verifyPrompt: text("check it"),
    harness: { endNotice: ({ taskId }) => userText(`${taskId} has ended`) },
    ledger: { budget: { reached: undefined }, usedTokens: 7 } as LastWordsParts["ledger"],
    ...change,
  };
  return lastWords(parts, quiet);
}

test("the check at the end is asked for once", async () => {
  const last = words();
  expect([await last(quiet), await last(quiet)]).toEqual([text("check it"), undefined]);
});

test("ends of helpers and open goals come before the check", async () => {
  const answers = [{ ends: [end] }, { prompt: "go on" }, undefined];
  const last = words({ unfinished: async () => answers.shift() });
  const said = [await last(quiet), await last(quiet), await last(quiet), await last(quiet)];
  expect(said).toEqual([text("a has ended"), text("go on"), text("check it"), undefined]);
});

test("when the user speaks while helpers are waited for, nothing else is said", async () => {
  const spoken = new AbortController();
  const last = words({
    unfinished: async (_, signal) => {
      spoken.abort();
      expect(signal.aborted).toBe(true);
      return undefined;
    },
  });
  expect(await last(spoken.signal)).toBeUndefined();
});

test("before a request the model hears what is due, and nothing else", () => {
  const parts = {
    harness: { endNotice: () => userText("ended") },
    takeTaskEnds: () => [end],
    takeWakeups: (now: number) => [`it is ${now}`],
    now: () => 5,
  };
  const said = (items: ReturnType<typeof dueItems>) =>
    items.map((item) => (item.type === "message" ? textOf(item.content) : item.type));
  expect(said(dueItems(parts, [], { due: () => userText("hurry") }))).toEqual(["ended", "it is 5", "hurry"]);
  expect(said(dueItems({ harness: {}, now: () => 5 }, [], undefined))).toEqual([]);
});
