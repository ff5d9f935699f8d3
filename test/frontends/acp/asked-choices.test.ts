import { expect, test } from "bun:test";
import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { choiceAsker } from "../../../src/frontends/acp/asked-choices.ts";
import type { UserQuestion } from "../../../src/protocol/questions.ts";

const NEVER = new AbortController().signal;
const COLOUR: UserQuestion = {
  question: "Which colour?",
  options: [{ label: "red", description: "like a rose" }, { label: "blue" }],
  isMultiple: false,
};

async function ask(questions: readonly UserQuestion[], outcomes: RequestPermissionResponse["outcome"][]) {
  const asked: RequestPermissionRequest[] = [];
  const updates: SessionUpdate[] = [];
  const client = {
    update: (_: string, update: SessionUpdate) => void updates.push(update),
    async permission(request: RequestPermissionRequest) {
      asked.push(request);
      return { outcome: outcomes[asked.length - 1] ?? { outcome: "cancelled" as const } };
    },
  };
  return { answers: await choiceAsker(client, "s1").ask(questions, NEVER), asked, updates };
}

test("a question is asked as one about a call, with its answers as the choices, and the call ends with the answer", async () => {
  const { answers, asked, updates } = await ask([COLOUR], [{ outcome: "selected", optionId: "1" }]);
  expect(answers).toEqual([{ labels: ["blue"] }]);
  expect(asked.map(({ toolCall, options }) => [toolCall.title, options])).toEqual([
    [
      "Which colour?",
      [
        { optionId: "0", name: "red", kind: "allow_once" },
        { optionId: "1", name: "blue", kind: "reject_once" },
      ],
    ],
  ]);
  expect(updates.map((update) => "status" in update && update.status)).toEqual(["pending", "completed"]);
  expect(JSON.stringify(updates)).toContain("- red: like a rose");
});

test("one question that is not answered leaves them all without an answer, and no call open", async () => {
  const { answers, asked, updates } = await ask(
    [COLOUR, COLOUR, COLOUR],
    [{ outcome: "selected", optionId: "0" }],
  );
  expect([answers, asked.length]).toEqual([undefined, 2]);
  expect(updates.map((update) => "status" in update && update.status)).toEqual([
    "pending",
    "completed",
    "pending",
    "failed",
  ]);
});

test("a question that has no answers to choose from, or wants several, is not asked", async () => {
  for (const question of [
    { ...COLOUR, options: [] },
    { ...COLOUR, isMultiple: true },
  ])
    expect(await ask([question], [{ outcome: "selected", optionId: "0" }])).toEqual({
      answers: undefined,
      asked: [],
      updates: [],
    });
});
