/** Lines between which a model writes the plan that it proposes. */
export const PLAN_BEGIN = "<proposed_plan>";
export const PLAN_END = "</proposed_plan>";

/** The last plan that an answer proposes; undefined when it proposes none. A missing end is the end of the answer. */
export function proposedPlan(answer: string): string | undefined {
  const lines = answer.split("\n");
  const begin = lines.findLastIndex((line) => line.trim() === PLAN_BEGIN);
  if (begin < 0) return undefined;
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => line.trim() === PLAN_END);
  const plan = rest
    .slice(0, end < 0 ? undefined : end)
    .join("\n")
    .trim();
  return plan === "" ? undefined : plan;
}

/** The answer as people read it. */
export function withoutPlanMarks(answer: string): string {
  const lines = answer.split("\n").filter((line) => line.trim() !== PLAN_END);
  return lines.map((line) => (line.trim() === PLAN_BEGIN ? "Proposed plan:" : line)).join("\n");
}
