import { expect, test } from "bun:test";
import { plan } from "../../src/tools/plan.ts";
import { workbench } from "./files/workbench.ts";

test("the steps are shown to people, and the model hears that it worked", async () => {
  await using bench = await workbench();
  const input = { explanation: "why", plan: [{ step: "one", status: "in_progress" }] };
  const call = await bench.ready(plan, input);
  const detail = {
    kind: "plan" as const,
    steps: [{ text: "one", status: "in_progress" as const }],
    explanation: "why",
  };
  expect([call.access, call.shown]).toEqual([{}, detail]);
  expect(await call.run(bench.ctx)).toEqual({
    ok: true,
    content: [{ type: "input_text", text: "Plan updated" }],
    fields: {},
    detail,
  });
});

test("a step with an unknown status is a schema error", () => {
  expect(() => plan.schema.parse({ plan: [{ step: "one", status: "done" }] })).toThrow();
});
