import { z } from "zod";
import { defineTool } from "../define.ts";
import { readingCall, textResult } from "../results.ts";
import type { RunContext, ToolResult } from "../types.ts";
import { type Goal, type GoalBudget, goalState, goalText } from "./state.ts";

const GoalCreateInput = z.looseObject({
  objective: z.string().min(1),
  criterion: z.string().optional(),
  /** Give up the goal that is open. */
  replace: z.boolean().optional(),
});
type GoalCreateInput = z.infer<typeof GoalCreateInput>;

/** Native "goal_create": from now on the model is sent on when it stops, until the goal is complete or blocked. */
export const goalCreate = defineTool<GoalCreateInput>({
  name: "goal_create",
  schema: GoalCreateInput,
  parallel: false,
  prepare: async (input) => readingCall([], async (run) => create(input, run)),
});

function create({ objective, criterion = "", replace }: GoalCreateInput, ctx: RunContext): ToolResult {
  const state = ctx.memory.get(goalState);
  const open = state.goal?.status === "active" || state.goal?.status === "paused";
  if (open && !replace)
    return textResult(false, `there is an open goal: ${state.goal?.objective}`, { case: "open" });
  state.goal = {
    objective,
    criterion,
    status: "active",
    reason: "",
    startedAt: Date.now(),
    tokensBefore: ctx.usedTokens?.() ?? 0,
    turns: 0,
    budgets: [],
  };
  return told(state.goal, "created", ctx);
}

/** Native "goal_read": the goal and how much of its budgets is used. */
export const goalRead = defineTool({
  name: "goal_read",
  schema: z.looseObject({}),
  parallel: true,
  prepare: async () =>
    readingCall([], async (run) => {
      const { goal } = run.memory.get(goalState);
      return goal ? told(goal, "goal", run) : textResult(true, "No goal is set", { case: "none" });
    }),
});

const UNITS = {
  turns: { unit: "turns", factor: 1 },
  tokens: { unit: "tokens", factor: 1 },
  milliseconds: { unit: "ms", factor: 1 },
  seconds: { unit: "ms", factor: 1000 },
  minutes: { unit: "ms", factor: 60_000 },
  hours: { unit: "ms", factor: 3_600_000 },
} as const;
const GoalBudgetInput = z.looseObject({
  value: z.number().positive(),
  unit: z.enum(["turns", "tokens", "milliseconds", "seconds", "minutes", "hours"]),
});
type GoalBudgetInput = z.infer<typeof GoalBudgetInput>;

/** Native "goal_budget": how much may be used before the goal is paused, in one unit. */
export const goalBudget = defineTool<GoalBudgetInput>({
  name: "goal_budget",
  schema: GoalBudgetInput,
  parallel: false,
  prepare: async ({ value, unit: written }) =>
    readingCall([], async (run) => {
      const { goal } = run.memory.get(goalState);
      if (!goal) return noGoal();
      const { unit, factor } = UNITS[written];
      const budget: GoalBudget = { unit, value: value * factor };
      goal.budgets = [...goal.budgets.filter((one) => one.unit !== unit), budget];
      return told(goal, "budget", run);
    }),
});

const GoalUpdateInput = z.looseObject({
  status: z.enum(["active", "complete", "blocked"]),
  reason: z.string().optional(),
});
type GoalUpdateInput = z.infer<typeof GoalUpdateInput>;

/** Native "goal_update": the goal is reached, can't be reached, or is taken up again. */
export const goalUpdate = defineTool<GoalUpdateInput>({
  name: "goal_update",
  schema: GoalUpdateInput,
  parallel: false,
  prepare: async ({ status, reason = "" }) =>
    readingCall([], async (run) => {
      const { goal } = run.memory.get(goalState);
      if (!goal) return noGoal();
      goal.status = status;
      goal.reason = reason;
      return told(goal, "updated", run);
    }),
});

function told(goal: Goal, name: string, ctx: RunContext): ToolResult {
  const text = goalText(goal, ctx.usedTokens?.() ?? 0, Date.now());
  return textResult(true, text, { case: name, goal: text, status: goal.status });
}

function noGoal(): ToolResult {
  return textResult(false, "no goal is set", { case: "none" });
}
