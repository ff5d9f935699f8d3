import type { SandboxPolicy } from "../protocol/policy.ts";
import type { MemoryKey, RunContext, ToolContext } from "./types.ts";

/** Is the model only planning? `isByUser`: the user has switched it on, not the model. */
export const planMode: MemoryKey<{ isOn: boolean; isByUser: boolean }> = {
  name: "planMode",
  init: () => ({ isOn: false, isByUser: false }),
};

/** Why a change of files is refused while the model plans. */
export function planningProblem({ memory }: Pick<ToolContext, "memory">): string | undefined {
  return memory.get(planMode).isOn ? "nothing is changed while you plan; hand the plan in first" : undefined;
}

/** Why nothing is typed into a command of this policy while the model plans: it was started before, and may still write. */
export function typingProblem(
  { policy: then }: { policy: SandboxPolicy },
  { memory, policy: now }: Pick<RunContext, "memory" | "policy">,
): string | undefined {
  // Where nothing holds commands, typing into one does no more than starting another.
  if (!memory.get(planMode).isOn || now.mode !== "restricted") return undefined;
  const onlyReads = then.mode === "restricted" && then.write.length === 0;
  return onlyReads
    ? undefined
    : "this command was started before you planned and may change something, so it gets no input; hand the plan in first";
}
