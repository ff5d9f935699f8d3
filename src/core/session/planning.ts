import { developerText, type Item, textOf } from "../../protocol/items.ts";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import { PLAN_BEGIN, PLAN_END } from "../../protocol/proposed-plan.ts";
import { planMode } from "../../tools/plan-state.ts";
import type { ToolMemory } from "../../tools/types.ts";
import type { SessionSettings } from "../turn/settings.ts";
import type { SessionParts } from "./session-parts.ts";

/** Every text for the model about planning begins with this line. */
export const PLAN_MARK = "<plan_mode>";

const ON =
  text(`The user has switched planning on. Look around, think and answer, but change nothing: commands can only read, and tools that may change something refuse.
Where only the user can decide something that the plan hangs on, ask.
When the plan stands, hand it in: by the tool for it, if you have one, else at the end of an answer, between a line ${PLAN_BEGIN} and a line ${PLAN_END}. It says what is changed, in which files, and how that is checked. The user then decides.`);

const OFF = text("Planning is over: what the user asks for is to be done.");

/** What a session does differently while the model plans. */
export function planningOf(
  memory: ToolMemory,
  settings: Pick<SessionSettings, "sandbox">,
): Pick<SessionParts, "policy" | "isPlanning" | "planNews"> {
  return {
    isPlanning: () => memory.get(planMode).isOn,
    policy: () => (memory.get(planMode).isOn ? readOnly(settings.sandbox) : settings.sandbox),
    planNews: (items) => news(items, memory.get(planMode)),
  };
}

/** Where nothing is enforced, the user has said so; then only the words and the tools hold. */
function readOnly(policy: SandboxPolicy): SandboxPolicy {
  return policy.mode === "restricted" ? { ...policy, write: [], protect: [], network: false } : policy;
}

/** What the user has switched, when the model was not told yet. A tool of its own tells it by its result. */
function news(
  items: readonly Item[],
  { isOn, isByUser }: { isOn: boolean; isByUser: boolean },
): Item | undefined {
  const last = items.findLast(
    (item) => item.type === "message" && textOf(item.content).startsWith(PLAN_MARK),
  );
  const wasOn = last?.type === "message" && textOf(last.content) === ON;
  const isWanted = isOn && isByUser;
  return isWanted === wasOn ? undefined : developerText(isWanted ? ON : OFF);
}

function text(words: string): string {
  return `${PLAN_MARK}\n${words}\n</plan_mode>`;
}
