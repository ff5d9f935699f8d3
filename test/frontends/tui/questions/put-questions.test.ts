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
  const both = new FakeAsker("red,something", undefined, "red");
  await putQuestions(both, asked);
  expect(both.seen.filter((line) => line.startsWith("["))).toEqual([
    "[] red        like a fire",
    "[] dark blue",
    "[] something else, in your own words…",
    "[x] red        like a fire",
    "[] dark blue",
    "[] something else, in your own words…",
  ]);
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

test("of a text that fills many screens the beginning and the end are shown, and the answers stay in sight", async () => {
  const long = { label: "L".repeat(1_000_000), description: "D\n".repeat(500_000) };
  const question = `begin ${"\n".repeat(1_000_000)} end`;
  const asked = {
    question,
    header: "H\n".repeat(500_000),
    options: [long, { label: "b" }],
    isMultiple: false,
  };
  const asker = new FakeAsker("b");
  expect(await putQuestions(asker, [asked])).toEqual([{ labels: ["b"] }]);
  expect(asker.seen[0]).toBe("begin ");
  expect(asker.seen.find((line) => line.endsWith("left out …"))).toBe("… 994010 characters are left out …");
  const title = asker.seen.findIndex((line) => line.startsWith("?"));
  expect(asker.seen[title - 1]).toBe(" end");
  expect(asker.seen.slice(title)).toEqual([
    `? ${"H ".repeat(79)}H…`,
    `> ${"L".repeat(199)}…  ${"D ".repeat(99)}D…`,
    "  b",
    "  something else, in your own words…",
  ]);
});

test("an answer without a name can be seen, and is given back as it was offered", async () => {
  const asker = new FakeAsker("(without a name)");
  const asked = { ...COLOUR, options: [{ label: " " }, { label: "red" }] };
  expect(await putQuestions(asker, [asked])).toEqual([{ labels: [" "] }]);
});
