import { expect, test } from "bun:test";
import { type Elicited, elicit } from "../../../src/extensions/mcp/elicit.ts";
import type { Asker, QuestionAnswer, UserForm, UserQuestion } from "../../../src/protocol/questions.ts";

const never = new AbortController().signal;

function person(answers: readonly QuestionAnswer[] | undefined): Asker & { asked: UserQuestion[] } {
  const asked: UserQuestion[] = [];
  return {
    asked,
    async ask(questions) {
      asked.push(...questions);
      return answers;
    },
  };
}

const form = (properties: Record<string, unknown>, required: string[] = []): unknown => ({
  message: "Some facts",
  requestedSchema: { type: "object", properties, required },
});

test("every field of a form is a question, and the answers have the types of the fields", async () => {
  const asker = person([
    { labels: ["Yes"] },
    { labels: [], text: "42" },
    { labels: ["Blue"] },
    { labels: ["a", "b"] },
    { labels: [], text: "Ada" },
  ]);
  const params = form({
    sure: { type: "boolean", title: "Are you sure?" },
    age: { type: "integer" },
    colour: { type: "string", enum: ["r", "b"], enumNames: ["Red", "Blue"] },
    tags: { type: "array", items: { enum: ["a", "b", "c"] } },
    name: { type: "string", description: "as in the passport" },
  });
  expect(await elicit("shop", params, asker, never)).toEqual({
    action: "accept",
    content: { sure: true, age: 42, colour: "b", tags: ["a", "b"], name: "Ada" },
  });
  expect(asker.asked.map(({ question }) => question)).toEqual([
    "shop: Some facts\nAre you sure?",
    "age",
    "colour",
    "tags",
    "name (as in the passport)",
  ]);
  expect(asker.asked.map(({ options }) => options.map(({ label }) => label))).toEqual([
    ["Yes", "No"],
    [],
    ["Red", "Blue"],
    ["a", "b", "c"],
    [],
  ]);
});

test("choices with the same name are told apart by their values, and one of them can be taken", async () => {
  const asker = person([{ labels: ["Disk (sdb)"] }, { labels: ["Same (y)"] }]);
  const params = form({
    disk: { type: "string", enum: ["sda", "sdb", "net"], enumNames: ["Disk", "Disk", "Network"] },
    any: { type: "array", items: { enum: ["x", "y"], enumNames: ["Same", "Same\u200b"] } },
  });
  expect(await elicit("s", params, asker, never)).toEqual({
    action: "accept",
    content: { disk: "sdb", any: ["y"] },
  });
  expect(asker.asked.map(({ options }) => options.map(({ label }) => label))).toEqual([
    ["Disk (sda)", "Disk (sdb)", "Network"],
    ["Same (x)", "Same (y)"],
  ]);
});

test("a field that is left out gets its default, or is missing", async () => {
  const params = form({ size: { type: "number", default: 3 }, note: { type: "string" } });
  expect(await elicit("s", params, person([{ labels: [] }, { labels: [] }]), never)).toEqual({
    action: "accept",
    content: { size: 3 },
  });
});

const NOT_ACCEPTED: [string, unknown, QuestionAnswer[] | undefined, Elicited["action"]][] = [
  ["a needed field is left out", form({ a: { type: "string" } }, ["a"]), [{ labels: [] }], "cancel"],
  ["a number is not a number", form({ a: { type: "number" } }, ["a"]), [{ labels: [], text: "x" }], "cancel"],
  ["the person does not answer", form({ a: { type: "string" } }), undefined, "cancel"],
  ["a question without fields is denied", form({}), [{ labels: ["No"] }], "decline"],
  ["a yes is only in the person's own words", form({}), [{ labels: [], text: "Yes" }], "decline"],
  ["the request can't be read", { mode: "dance" }, [{ labels: ["Yes"] }], "decline"],
  [
    "an address is not a web address",
    { mode: "url", message: "m", url: "file:///etc/passwd" },
    [{ labels: ["Yes"] }],
    "decline",
  ],
];

test.each(NOT_ACCEPTED)("when %s, nothing is accepted", async (_, params, answers, action) => {
  expect(await elicit("s", params, person(answers), never)).toEqual({ action });
});

test("a front end with forms gets the whole form, and what comes back must fit it", async () => {
  const seen: UserForm[] = [];
  const asker = (content: Record<string, unknown>): Asker => ({
    ...person(undefined),
    async fillIn(wanted) {
      seen.push(wanted);
      return { action: "accept", content };
    },
  });
  const params = form(
    { n: { type: "integer", maximum: 9, title: "\u001b[2JN" }, c: { enum: ["a", "b"], default: "b" } },
    ["n"],
  );
  const accepted = await elicit("s", params, asker({ n: 3, more: "not asked for" }), never);
  expect(accepted).toEqual({ action: "accept", content: { n: 3, c: "b" } });
  expect(seen).toEqual([
    {
      message: "s: Some facts",
      fields: [
        { name: "n", kind: "integer", isRequired: true, maximum: 9, title: "N" },
        {
          name: "c",
          kind: "choice",
          isRequired: false,
          choices: [
            { value: "a", label: "a" },
            { value: "b", label: "b" },
          ],
          default: "b",
        },
      ],
    },
  ]);
  for (const content of [{ n: 10 }, { n: "3" }, { n: 3, c: "z" }, {}])
    expect(await elicit("s", params, asker(content), never)).toEqual({ action: "cancel" });
});

test("an address is shown whole before the person agrees", async () => {
  const asker = person([{ labels: ["Yes"] }]);
  const params = { mode: "url", message: "Pay", url: "https://pay.example/1", elicitationId: "e" };
  expect(await elicit("shop", params, asker, never)).toEqual({ action: "accept" });
  expect(asker.asked[0]?.question).toBe(
    "shop: Pay\nOpen this address in your browser: https://pay.example/1",
  );
});

test("a form that nobody would fill in is declined, and a person is not asked", async () => {
  const asker = person(undefined);
  const fields = Array.from({ length: 1_000 }, (_, n) => [`f${n}`, { type: "string" }]);
  expect(await elicit("shop", form(Object.fromEntries(fields)), asker, never)).toEqual({ action: "decline" });
  expect(asker.asked).toEqual([]);
});

test("the words of a server are short and hold nothing that moves a cursor", async () => {
  const asker = person(undefined);
  const title = `\u001b]0;gotcha\u0007${"t".repeat(100_000)}`;
  await elicit("shop", form({ "\u001b[2Jname": { type: "string", title } }), asker, never);
  expect(asker.asked.map(({ header }) => header)).toEqual(["name"]);
  expect(asker.asked[0]?.question.length).toBeLessThan(2_000);
  expect(asker.asked[0]?.question).not.toContain("\u001b");
});
