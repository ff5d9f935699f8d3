import { expect, test } from "bun:test";
import { proposedPlan, withoutPlanMarks } from "../../src/protocol/proposed-plan.ts";

test("the plan of an answer is what stands between the marks, and the last one counts", () => {
  const answer =
    "Looked.\n<proposed_plan>\nold\n</proposed_plan>\nno:\n<proposed_plan>\n1. fix\n2. test\n</proposed_plan>\nok?";
  expect(proposedPlan(answer)).toBe("1. fix\n2. test");
});

test("a plan whose end is missing goes to the end of the answer; without marks there is none", () => {
  expect(proposedPlan("<proposed_plan>\n1. fix\n")).toBe("1. fix");
  expect(proposedPlan("write <proposed_plan> around it")).toBeUndefined();
  expect(proposedPlan("<proposed_plan>\n\n</proposed_plan>")).toBeUndefined();
});

test("people read a title in place of the marks", () => {
  expect(withoutPlanMarks("a\n<proposed_plan>\n1. fix\n</proposed_plan>")).toBe("a\nProposed plan:\n1. fix");
});
