import type { MemoryKey, ToolContext } from "./types.ts";

/** Is the model only planning? `isByUser`: the user has switched it on, not the model. */
export const planMode: MemoryKey<{ isOn: boolean; isByUser: boolean }> = {
  name: "planMode",
  init: () => ({ isOn: false, isByUser: false }),
};

/** Why a change of files is refused while the model plans. */
export function planningProblem({ memory }: Pick<ToolContext, "memory">): string | undefined {
  return memory.get(planMode).isOn ? "nothing is changed while you plan; hand the plan in first" : undefined;
}
