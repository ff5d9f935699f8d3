import { expect, test } from "bun:test";
import { CallExecutor } from "../../../src/core/turn/calls.ts";
import { PlanTracker } from "../../../src/core/turn/plan-tracker.ts";
import { ApprovalMemory } from "../../../src/safety/approvals.ts";
import { createToolMemory } from "../../../src/tools/memory.ts";

test("calls stand in line in the order of the model, also when the first one's tool takes longer to load", async () => {
  const prepared: string[] = [];
  const slow = Promise.withResolvers<void>();
  const memory = createToolMemory();
  const executor = new CallExecutor(
    {
      async bind(call) {
        if (call.callId === "first") await slow.promise;
        return {
          parallel: false,
          async prepare() {
            prepared.push(call.callId);
            return { refused: { ok: false, content: [], detail: { kind: "none" } } };
          },
          render: ({ content }) => content,
        };
      },
      context: ({ callId }) => ({
        callId,
        sessionId: "s",
        cwd: "/",
        memory,
        env: {},
        images: false,
        outputLimit: { unit: "bytes", limit: 1000 },
      }),
      approvals: () => "never",
      policy: () => ({ mode: "off" }),
      isPlanning: () => false,
      sandbox: {
        id: "none",
        available: async () => ({ ok: true }),
        wrap: async (command) => ({ ...command, fds: [], release: () => {} }),
        denied: () => false,
      },
      approver: { ask: async () => ({ decision: "denied" }) },
      memory: new ApprovalMemory(),
      plan: new PlanTracker(
        () => {},
        () => "item",
      ),
      newId: () => "item",
      onBug: () => {},
    },
    () => {},
    new AbortController().signal,
  );
  const input = { kind: "json", raw: "{}" } as const;
  const calls = ["first", "second"].map((callId) =>
    executor.execute({ type: "tool_call", callId, name: "any", input }),
  );
  slow.resolve();
  await Promise.all(calls);
  expect(prepared).toEqual(["first", "second"]);
});
