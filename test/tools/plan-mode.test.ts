import { expect, test } from "bun:test";
import type { QuestionAnswer } from "../../src/protocol/questions.ts";
import { planEnter, planExit } from "../../src/tools/plan-mode.ts";
import { planMode } from "../../src/tools/plan-state.ts";
import { workbench } from "./files/workbench.ts";

async function handIn(answer?: { given: readonly QuestionAnswer[] | undefined }) {
  await using bench = await workbench();
  await bench.call(planEnter, {});
  const asker = answer && { ask: async () => answer.given };
  const { ok, fields } = await bench.call(planExit, { plan: "1. look" }, asker ? { asker } : {});
  return { ok, fields, isPlanning: bench.ctx.memory.get(planMode).isOn };
}

test("a plan that the user agrees to, or that nobody can be asked about, ends the planning", async () => {
  const agreed = { ok: true, fields: { case: "agreed", plan: "1. look" }, isPlanning: false };
  expect(await handIn({ given: [{ labels: ["Yes"] }] })).toEqual(agreed);
  expect(await handIn()).toEqual(agreed);
});

test("a plan that the user does not want is planned further, with what they say", async () => {
  const rejected = (answer: string) => ({
    ok: false,
    fields: { case: "rejected", plan: "1. look", answer },
    isPlanning: true,
  });
  expect(await handIn({ given: [{ labels: ["No"], text: "ask first" }] })).toEqual(rejected("ask first"));
  expect(await handIn({ given: [{ labels: ["Yes"], text: "but not today" }] })).toEqual(
    rejected("but not today"),
  );
  expect(await handIn({ given: undefined })).toEqual(rejected(""));
});

test("without planning there is no plan to hand in", async () => {
  await using bench = await workbench();
  expect(await bench.ask(planExit, { plan: "x" })).toBe("there is no planning to end");
});
