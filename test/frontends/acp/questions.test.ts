import { expect, test } from "bun:test";
import type { CreateElicitationRequest, CreateElicitationResponse } from "@agentclientprotocol/sdk/unstable";
import { askerOf } from "../../../src/frontends/acp/questions.ts";

const QUESTIONS = [
  {
    question: "Which colour?",
    header: "Colour",
    options: [{ label: "red" }, { label: "blue" }],
    isMultiple: false,
  },
  { question: "Which days?", options: [{ label: "Monday", description: "early" }], isMultiple: true },
];

async function ask(response: CreateElicitationResponse) {
  const asked: CreateElicitationRequest[] = [];
  const client = {
    async elicit(request: CreateElicitationRequest) {
      asked.push(request);
      return response;
    },
  };
  const given = await askerOf(client, "s1").ask(QUESTIONS, new AbortController().signal);
  return { asked, given };
}

test("questions become a form with a place for other words, and the form's content answers them", async () => {
  const content = { choice_1: "blue", words_1: "dark", choice_2: ["Monday"], words_2: "" };
  const { asked, given } = await ask({ action: "accept", content });
  expect(asked).toEqual([
    {
      mode: "form",
      sessionId: "s1",
      message: "Which colour?\nWhich days?",
      requestedSchema: {
        type: "object",
        properties: {
          choice_1: {
            type: "string",
            title: "Colour",
            description: "Which colour?",
            oneOf: [
              { const: "red", title: "red" },
              { const: "blue", title: "blue" },
            ],
          },
          words_1: { type: "string", title: "In other words" },
          choice_2: {
            type: "array",
            title: "Which days?",
            description: "Which days?",
            items: { anyOf: [{ const: "Monday", title: "Monday", description: "early" }] },
          },
          words_2: { type: "string", title: "In other words" },
        },
      },
    },
  ]);
  expect(given).toEqual([{ labels: ["blue"], text: "dark" }, { labels: ["Monday"] }]);
});

test("a form that was declined is no answer", async () => {
  expect((await ask({ action: "decline" })).given).toBeUndefined();
});
