import { expect, test } from "bun:test";
import type { QuestionAnswer, UserQuestion } from "../../src/protocol/questions.ts";
import { askUser } from "../../src/tools/ask-user.ts";
import { workbench } from "./files/workbench.ts";

const QUESTIONS = [
  {
    question: "Which one?",
    header: "Choice",
    options: [{ label: "A", description: "the first" }, { label: "B" }],
    multiSelect: true,
  },
  { question: "Why?" },
];

async function ask(answers: readonly QuestionAnswer[] | undefined) {
  await using bench = await workbench();
  const asked: UserQuestion[] = [];
  const asker = {
    ask: async (questions: readonly UserQuestion[]) => {
      asked.push(...questions);
      return answers;
    },
  };
  return { asked, result: await bench.call(askUser, { questions: QUESTIONS }, { asker }) };
}

test("questions go to whoever answers them, and the model reads choices and words", async () => {
  const { asked, result } = await ask([{ labels: ["A", "B"] }, { labels: [], text: "because" }]);
  expect(asked).toEqual([
    {
      question: "Which one?",
      header: "Choice",
      options: [{ label: "A", description: "the first" }, { label: "B" }],
      isMultiple: true,
    },
    { question: "Why?", options: [], isMultiple: false },
  ]);
  expect(result).toMatchObject({
    ok: true,
    content: [{ text: "The user answered:\n- Which one?\n  A, B\n- Why?\n  because" }],
    fields: { case: "answered", json: '{"Which one?":"A, B","Why?":"because"}' },
  });
});

test("who does not want to answer says so, and where nobody is the model decides", async () => {
  expect((await ask(undefined)).result).toMatchObject({ ok: false, fields: { case: "dismissed" } });
  await using bench = await workbench();
  expect(await bench.call(askUser, { questions: QUESTIONS })).toMatchObject({
    ok: false,
    fields: { case: "nobody", questions: "- Which one?\n- Why?" },
  });
});
