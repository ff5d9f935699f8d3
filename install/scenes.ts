import { answers, calls, type FakeChoice, type FakeTurn, says, sends } from "../test/support/fake-server.ts";
import type { TmuxPane } from "../test/support/tmux.ts";

/** A state of the interface: what the model says, and how one gets there. */
export type Scene = {
  /** Of the file, without ending. */
  name: string;
  title: string;
  turns: readonly (FakeTurn | FakeChoice)[];
  /** Nothing is configured yet. */
  isNew?: boolean;
  play(pane: TmuxPane): Promise<void>;
};

const READY = /\d+% left/;

const ANSWER = `The loop starts at \`1\`, so the **first price is never added**.

| Prices | Now | Wanted |
| --- | ---: | ---: |
| 4, 8, 15 | 23 | 27 |
| none | 0 | 0 |

Start at zero, or let \`reduce\` do it:

\`\`\`ts
export function total(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum + price, 0); // no index
}
\`\`\`

1. Change \`src/price.ts\`.
2. Run \`sh test.sh\`.`;

const PATCH = `*** Begin Patch
*** Update File: src/price.ts
@@
   let sum = 0;
-  for (let i = 1; i < prices.length; i++) sum += prices[i] ?? 0;
+  for (const price of prices) sum += price;
   return sum;
*** End Patch`;

const INSTALL = {
  cmd: "npm install left-pad",
  sandbox_permissions: "require_escalated",
  justification: "download a package from the registry",
};

const WORK: readonly FakeTurn[] = [
  answers(
    { type: "text", text: "Looking at the code first." },
    { type: "call", name: "exec_command", input: { cmd: "cat src/price.ts" } },
  ),
  calls("apply_patch", { input: PATCH }),
  calls("exec_command", { cmd: "seq 1 40 | sed 's/^/ok - price /'" }),
  says("Every price counts now, and the tests pass."),
];

export const SCENES: readonly Scene[] = [
  { name: "start", title: "The first screen", turns: [], play: ready },
  {
    name: "streaming",
    title: "An answer that is still being written",
    turns: [sends(partOfAnswer(ANSWER.slice(0, 310)), { end: "hang" })],
    play: async (pane) => {
      await ask(pane, "why is the total of the cart too low?");
      await pane.until("reduce");
    },
  },
  {
    name: "answer",
    title: "A finished answer with a table and code",
    turns: [says(ANSWER)],
    play: async (pane) => {
      await ask(pane, "why is the total of the cart too low?");
      await pane.until(/tok$/m);
    },
  },
  {
    name: "command",
    title: "A command that runs",
    turns: [calls("exec_command", { cmd: "sh test.sh", yield_time_ms: 20_000 })],
    play: async (pane) => {
      await ask(pane, "run the tests");
      await pane.until("ok 4");
    },
  },
  {
    name: "approval",
    title: "A question before a command leaves the sandbox",
    turns: [calls("exec_command", INSTALL)],
    play: async (pane) => {
      await ask(pane, "add left-pad");
      await pane.until("Run outside the sandbox?");
    },
  },
  {
    name: "diff",
    title: "Files read, a change and a command in the conversation",
    turns: WORK,
    play: async (pane) => {
      await ask(pane, "fix the total and run the tests");
      await pane.until("tests pass");
      await pane.until(/tok$/m);
    },
  },
  {
    name: "plan",
    title: "A plan",
    turns: [
      calls("update_plan", {
        plan: [
          { step: "Find where the total is made", status: "completed" },
          { step: "Fix the loop", status: "in_progress" },
          { step: "Run the tests", status: "pending" },
          { step: "Update docs/prices.md", status: "pending" },
        ],
      }),
      sends(partOfAnswer("The loop in `src/price.ts` skips the first entry"), { end: "hang" }),
    ],
    play: async (pane) => {
      await ask(pane, "fix the total, step by step");
      await pane.until("skips the first");
    },
  },
  {
    name: "files",
    title: "Files after an @",
    turns: [],
    play: async (pane) => {
      await ready(pane);
      await pane.type("explain @pri");
      await pane.until("src/price.ts");
    },
  },
  {
    name: "commands",
    title: "Commands after a slash",
    turns: [],
    play: async (pane) => {
      await ready(pane);
      await pane.type("/");
      await pane.until("/resume");
    },
  },
  {
    name: "model",
    title: "The list of models",
    turns: [],
    play: async (pane) => {
      await ready(pane);
      await pane.type("/model");
      await pane.press("Enter");
      await pane.until("another provider");
    },
  },
  {
    name: "transcript",
    title: "The whole conversation, unfolded",
    turns: WORK,
    play: async (pane) => {
      await ask(pane, "fix the total and run the tests");
      await pane.until("tests pass");
      await pane.until(/tok$/m);
      await pane.press("C-t");
      await pane.until("ok - price 30");
    },
  },
  {
    name: "first-start",
    title: "The first start, with Ollama running",
    turns: [],
    isNew: true,
    play: async (pane) => {
      await pane.until("another server");
    },
  },
];

async function ready(pane: TmuxPane): Promise<void> {
  await pane.until(READY);
}

async function ask(pane: TmuxPane, question: string): Promise<void> {
  await ready(pane);
  await pane.type(question);
  await pane.press("Enter");
}

/** The chunks of an answer whose end never comes. */
function partOfAnswer(text: string): string[] {
  const chunk = (content: string) =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`;
  return (text.match(/.{1,12}/gs) ?? []).map(chunk);
}
