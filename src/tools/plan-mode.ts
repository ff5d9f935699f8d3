import { z } from "zod";
import { defineTool } from "./define.ts";
import { planMode } from "./plan-state.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

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
      Object.assign(memory.get(planMode), { isOn: true, isByUser: false });
      const text =
        "You are planning now. Look around, and change nothing: the file tools refuse to, and commands must not. Hand the plan in when it stands.";
      return textResult(true, text, { case: "entered" });
    }),
});

/** Native "plan_exit": the plan is finished, and the user is asked about it. Where nobody can be, it counts as agreed. */
export const planExit = defineTool<PlanExitInput>({
  name: "plan_exit",
  schema: PlanExitInput,
  parallel: false,
  prepare: async ({ plan = "" }) => readingCall([], (ctx) => handIn(plan, ctx)),
});

async function handIn(plan: string, ctx: RunContext): Promise<ToolResult> {
  const state = ctx.memory.get(planMode);
  if (!state.isOn) return textResult(false, "there is no planning to end", { case: "not_planning", plan });
  const answer = await opinionOn(plan, ctx);
  if (answer !== undefined && answer !== AGREE) {
    const words = answer === "" ? "" : ` Their words: ${answer}`;
    const text = `The user does not agree to the plan.${words} Go on planning, and hand in a better one.`;
    return textResult(false, text, { case: "rejected", plan, answer });
  }
  state.isOn = false;
  const who =
    answer === undefined
      ? "Nobody can be asked in this run, so the plan counts as agreed."
      : "The user agrees.";
  return textResult(true, `${who} Carry the plan out now.`, { case: "agreed", plan });
}

const AGREE = "Yes";

/** What the user says against the plan, which may be nothing; undefined where nobody can be asked. */
async function opinionOn(plan: string, { asker, signal }: RunContext): Promise<string | undefined> {
  if (!asker) return undefined;
  const options = [
    { label: AGREE, description: "Carry it out." },
    { label: "No", description: "Go on planning; say what is wrong with it." },
  ];
  const asked = plan === "" ? "Carry out the plan?" : `Carry out this plan?\n\n${plan}`;
  const question = { question: asked, header: "Plan", options, isMultiple: false };
  const [given] = (await asker.ask([question], signal)) ?? [];
  if (!given) return "";
  if (given.labels.includes(AGREE) && !given.text) return AGREE;
  return given.text ?? "";
}
