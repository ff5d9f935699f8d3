import { expect, test } from "bun:test";
import { elicitingAsker } from "../../../src/frontends/mcp-server/asker.ts";
import type { Call, ElicitAnswer } from "../../../src/frontends/mcp-server/call.ts";

const NEVER = new AbortController().signal;

function threadThat(answer: ElicitAnswer) {
  const asked: Record<string, unknown>[] = [];
  const call: Call = {
    requestId: 1,
    signal: NEVER,
    canAsk: true,
    canVisit: true,
    event() {},
    progress() {},
    async elicit(params) {
      asked.push(params);
      return answer;
    },
    flushed: async () => {},
  };
  return { asked, newestCall: () => call };
}

const QUESTIONS = [
  { question: "Which colour?", options: [{ label: "red" }, { label: "blue" }], isMultiple: false },
  { question: "Which days?", options: [{ label: "Mo" }, { label: "Tu" }], isMultiple: true },
];

test("questions of the model are a form with a line for each, in which the answers are recognised", async () => {
  const content = { answer_1: "blue", answer_2: "Tu, maybe Friday" };
  const thread = threadThat({ action: "accept", content });
  const answers = await elicitingAsker(thread, { addresses: false }).ask(QUESTIONS, NEVER);
  expect(answers).toEqual([{ labels: ["blue"] }, { labels: ["Tu"], text: "maybe Friday" }]);
  expect(thread.asked).toEqual([
    {
      mode: "form",
      message: "Which colour?\nWhich days?",
      requestedSchema: {
        type: "object",
        required: [],
        properties: {
          answer_1: {
            type: "string",
            title: "Which colour?",
            description: "Which colour? One of: red, blue.",
          },
          answer_2: {
            type: "string",
            title: "Which days?",
            description: "Which days? Some of: Mo, Tu. Separated by commas.",
          },
        },
      },
    },
  ]);
});

test("a refusal is no answer", async () => {
  for (const action of ["decline", "cancel"])
    expect(
      await elicitingAsker(threadThat({ action }), { addresses: false }).ask(QUESTIONS, NEVER),
    ).toBeUndefined();
});

test("a form of a server below us is passed on, and lists come back as lists", async () => {
  const thread = threadThat({ action: "accept", content: { size: "l", tags: "a, b" } });
  const choices = [
    { value: "s", label: "Small" },
    { value: "l", label: "Large" },
  ];
  const answer = await elicitingAsker(thread, { addresses: false }).fillIn?.(
    {
      message: "shop: facts",
      fields: [
        { name: "size", kind: "choice", isRequired: true, choices },
        { name: "tags", kind: "choices", isRequired: false },
      ],
    },
    NEVER,
  );
  expect(answer).toEqual({ action: "accept", content: { size: "l", tags: ["a", "b"] } });
  expect(thread.asked[0]).toMatchObject({
    requestedSchema: {
      required: ["size"],
      properties: { size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] } },
    },
  });
});

test("an address is shown where the client can show one", async () => {
  const thread = threadThat({ action: "accept" });
  const place = { message: "shop: pay", url: "https://pay.example/1", id: "e1" };
  expect(await elicitingAsker(thread, { addresses: true }).visit?.(place, NEVER)).toBe("accept");
  expect(thread.asked).toEqual([
    { mode: "url", message: "shop: pay", url: "https://pay.example/1", elicitationId: "e1" },
  ]);
  expect(elicitingAsker(thread, { addresses: false }).visit).toBeUndefined();
});
