import { z } from "zod";
import { defineTool } from "./define.ts";
import { planMode } from "./plan-state.ts";
import { readingCall, textResult } from "./results.ts";

const Nothing = z.looseObject({});
const PlanExitInput = z.looseObject({ plan: z.string().min(1).optional() });
type PlanExitInput = z.infer<typeof PlanExitInput>;

/** Native "plan_enter": from now on the file tools change nothing, until the plan is handed in. */
export const planEnter = defineTool({
  name: "plan_enter",
  schema: Nothing,
  parallel: false,
  prepare: async () =>
    readingCall([], async ({ memory }) => {
      memory.get(planMode).isOn = true;
      const text =
        "You are planning now. Look around, and change nothing: the file tools refuse to, and commands must not. Hand the plan in when it stands.";
      return textResult(true, text, { case: "entered" });
    }),
});

/** Native "plan_exit": the plan is finished. Where nobody can be asked, it counts as agreed. */
export const planExit = defineTool<PlanExitInput>({
  name: "plan_exit",
  schema: PlanExitInput,
  parallel: false,
  prepare: async ({ plan = "" }) =>
    readingCall([], async ({ memory }) => {
      const state = memory.get(planMode);
      if (!state.isOn)
        return textResult(false, "there is no planning to end", { case: "not_planning", plan });
      state.isOn = false;
      const text = "Nobody can be asked in this run, so the plan counts as agreed. Carry it out now.";
      return textResult(true, text, { case: "agreed", plan });
    }),
});
