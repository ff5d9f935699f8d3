import type { ToolMemory } from "../types.ts";
import { goalState, usedOf } from "./state.ts";

/** Without a budget of its own, a goal sends the model on this many times: a weak model would go on for ever. */
const USUAL_TURNS = 20;

/** What the model hears when it stops although its goal is open. A goal whose budget is used up is paused instead. */
export function goalPrompt(memory: ToolMemory, usedTokens: number, now: number): string | undefined {
  const { goal } = memory.get(goalState);
  if (goal?.status !== "active") return undefined;
  const budgets = goal.budgets.some(({ unit }) => unit === "turns")
    ? goal.budgets
    : [...goal.budgets, { unit: "turns" as const, value: USUAL_TURNS }];
  const spent = budgets.find(({ unit, value }) => usedOf(goal, unit, usedTokens, now) >= value);
  if (spent) {
    goal.status = "paused";
    goal.reason = `the budget of ${spent.unit === "ms" ? "time" : spent.unit} is used up`;
    return undefined;
  }
  goal.turns += 1;
  const criterion = goal.criterion === "" ? "" : ` It is complete when: ${goal.criterion}`;
  return `<system-reminder>The goal of this session is still open: ${goal.objective}${criterion}\nGo on with it. When it is reached, or can't be reached, say so with the tool for goals: complete or blocked.</system-reminder>`;
}
