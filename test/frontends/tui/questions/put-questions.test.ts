import { expect, test } from "bun:test";
import { putQuestions } from "../../../../src/frontends/tui/questions/put-questions.ts";
import { FakeAsker } from "../onboarding/fake-asker.ts";

const COLOUR = {
  question: "Which colour?",
  options: [{ label: "red", description: "like a\nfire" }, { label: "dark blue" }],
  isMultiple: false,
};

test("the offered answers are listed with what they mean, and one in own words", async () => {
  const asker = new FakeAsker("dark blue");
  expect(await putQuestions(asker, [COLOUR])).toEqual([{ labels: ["dark blue"] }]);
  expect(asker.seen).toEqual([
    "? Which colour?",
    "> red        like a fire",
    "  dark blue",
    "  something else, in your own words…",
  ]);
});

test("several questions are counted, and several answers can be taken", async () => {
  const asker = new FakeAsker("red", "red,dark blue");
  const asked = [COLOUR, { ...COLOUR, question: "Which ones?", isMultiple: true }];
  expect(await putQuestions(asker, asked)).toEqual([{ labels: ["red"] }, { labels: ["red", "dark blue"] }]);
  expect(asker.seen.filter((line) => line.startsWith("?"))).toEqual([
    "? 1 of 2: Which colour?",
    "? 2 of 2: Which ones?",
  ]);
});

test("own words go with the answers that were marked; putting them aside leads back to the list", async () => {
  const asker = new FakeAsker("red,something", "and green");
  const asked = [{ ...COLOUR, isMultiple: true }];
  expect(await putQuestions(asker, asked)).toEqual([{ labels: ["red"], text: "and green" }]);
  const hesitant = new FakeAsker("something", undefined, "red");
  expect(await putQuestions(hesitant, [COLOUR])).toEqual([{ labels: ["red"] }]);
});

test("a question that is put aside puts all of them aside", async () => {
  const asker = new FakeAsker("red", undefined);
  expect(await putQuestions(asker, [COLOUR, COLOUR])).toBeUndefined();
});

test("a long question stands above its answers, whose title is its name", async () => {
  const asker = new FakeAsker("Ada");
  const long = { question: "server: Who are you?\nname", header: "name", options: [], isMultiple: false };
  expect(await putQuestions(asker, [long])).toEqual([{ labels: [], text: "Ada" }]);
  expect(asker.seen).toEqual(["server: Who are you?", "name", "? name"]);
});
