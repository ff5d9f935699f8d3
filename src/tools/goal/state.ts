import type { MemoryKey } from "../types.ts";

export type GoalStatus = "active" | "complete" | "blocked" | "paused";
/** Turns are answers in which the model stopped and was sent on; times are in ms. */
export type GoalBudget = { unit: "turns" | "tokens" | "ms"; value: number };
export type Goal = {
  objective: string;
  criterion: string;
  status: GoalStatus;
  reason: string;
  startedAt: number;
  /** What the session had used when the goal was set. */
  tokensBefore: number;
  /** How often the model stopped and was sent on. */
  turns: number;
  budgets: GoalBudget[];
};

/** What the session works towards until the model says that it is complete or blocked. */
export const goalState: MemoryKey<{ goal?: Goal }> = { name: "goal", init: () => ({}) };

/** How much of a budget is used. */
export function usedOf(goal: Goal, unit: GoalBudget["unit"], usedTokens: number, now: number): number {
  switch (unit) {
    case "turns":
      return goal.turns;
    case "tokens":
      return usedTokens - goal.tokensBefore;
    case "ms":
      return now - goal.startedAt;
  }
}

/** The goal as a few lines, for the model to read. */
export function goalText(goal: Goal, usedTokens: number, now: number): string {
  const budgets = goal.budgets.map(({ unit, value }) => {
    const used = usedOf(goal, unit, usedTokens, now);
    return unit === "ms"
      ? `budget: ${Math.round(used / 1000)} of ${Math.round(value / 1000)} seconds used`
      : `budget: ${used} of ${value} ${unit} used`;
  });
  return [
    `objective: ${goal.objective}`,
    ...(goal.criterion === "" ? [] : [`complete when: ${goal.criterion}`]),
    `status: ${goal.status}`,
    ...(goal.reason === "" ? [] : [`reason: ${goal.reason}`]),
    `sent on: ${goal.turns} times`,
    ...budgets,
  ].join("\n");
}
