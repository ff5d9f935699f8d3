import { expect, test } from "bun:test";
import type { CreateElicitationRequest } from "@agentclientprotocol/sdk/unstable";
import type { Elicitation } from "../../../src/frontends/acp/client-answers.ts";
import { askerOf } from "../../../src/frontends/acp/questions.ts";
import type { FormField } from "../../../src/protocol/questions.ts";

const QUESTIONS = [
  {
    question: "Which colour?",
    header: "Colour",
    options: [{ label: "red" }, { label: "blue" }],
    isMultiple: false,
  },
  { question: "Which days?", options: [{ label: "Monday", description: "early" }], isMultiple: true },
];

const NEVER = new AbortController().signal;

function clientThat(response: Elicitation, addresses = false) {
  const asked: CreateElicitationRequest[] = [];
  const done: string[] = [];
  const facts = {
    notices: false,
    compaction: false,
    forms: true,
    addresses,
    terminals: false,
    subagents: false,
    terminalOutput: false,
  };
  return {
    asked,
    done,
    facts: { ...facts, readsFiles: false, writesFiles: false },
    async elicit(request: CreateElicitationRequest) {
      asked.push(request);
      return response;
    },
    elicited: (id: string) => void done.push(id),
  };
}

async function ask(response: Elicitation) {
  const client = clientThat(response);
  return { given: await askerOf(client, "s1").ask(QUESTIONS, NEVER), asked: client.asked };
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

test("a form of a server is a form of the client, with its types, limits and values", async () => {
  const client = clientThat({ action: "accept", content: { age: 7 } });
  const fields: FormField[] = [
    { name: "mail", kind: "text", isRequired: true, title: "Mail", format: "email", default: "a@b.c" },
    { name: "age", kind: "integer", isRequired: false, minimum: 0, maximum: 120 },
    { name: "sure", kind: "boolean", isRequired: false, default: false },
    { name: "days", kind: "choices", isRequired: false, choices: [{ value: "mo", label: "Monday" }] },
  ];
  const answer = await askerOf(client, "s1").fillIn?.({ message: "shop: facts", fields }, NEVER);
  expect(answer).toEqual({ action: "accept", content: { age: 7 } });
  expect(client.asked).toEqual([
    {
      mode: "form",
      sessionId: "s1",
      message: "shop: facts",
      requestedSchema: {
        type: "object",
        required: ["mail"],
        properties: {
          mail: { type: "string", title: "Mail", format: "email", default: "a@b.c" },
          age: { type: "integer", minimum: 0, maximum: 120 },
          sure: { type: "boolean", default: false },
          days: { type: "array", items: { anyOf: [{ const: "mo", title: "Monday" }] } },
        },
      },
    },
  ]);
});

test("an address is shown by clients that can, which also learn when what is done there is done", async () => {
  const client = clientThat({ action: "decline" }, true);
  const asker = askerOf(client, "s1");
  const place = { message: "shop: pay", url: "https://pay.example/1", id: "e1" };
  expect(await asker.visit?.(place, NEVER)).toBe("decline");
  asker.visited?.("e1");
  expect(client.asked).toEqual([
    { mode: "url", sessionId: "s1", message: "shop: pay", url: "https://pay.example/1", elicitationId: "e1" },
  ]);
  expect(client.done).toEqual(["e1"]);
  expect(askerOf(clientThat({ action: "accept" }), "s1").visit).toBeUndefined();
});
