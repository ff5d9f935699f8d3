import type { TurnOutcome } from "../../../core/session/session.ts";
import { proposedPlan } from "../../../protocol/proposed-plan.ts";
import type { UserQuestion } from "../../../protocol/questions.ts";
import type { CommandPort } from "./types.ts";

/** Switches planning on or off; `prompt` is what to plan, and switches it on. */
export function plan(port: CommandPort, prompt: string): void {
  const user = port.conversation.opened?.user;
  if (!user) {
    port.notice({ level: "warning", text: "No session is open, so there is nothing to plan." });
    return;
  }
  user.setPlanning(prompt !== "" || !user.isPlanning);
  port.hint(user.isPlanning ? "plan mode: nothing is changed until you agree to a plan" : "plan mode is off");
  if (prompt !== "") port.send({ text: prompt, images: [] });
}

const YES = "Yes";
const FRESH = "Yes, with a fresh conversation";
const NO = "No";
const QUESTION: UserQuestion = {
  question: "Carry out this plan?",
  options: [
    { label: YES, description: "planning ends" },
    { label: FRESH, description: "that knows only the plan" },
    { label: NO, description: "go on planning" },
  ],
  isMultiple: false,
};

/** Asks about the plan that a turn ended with, if it did and the user plans; own words go back to the model. */
export async function settlePlan(
  port: CommandPort,
  { status, lastMessage = "" }: Pick<TurnOutcome, "status" | "lastMessage">,
): Promise<void> {
  const user = port.conversation.opened?.user;
  const proposed = proposedPlan(lastMessage);
  if (!user?.isPlanning || status !== "completed" || proposed === undefined) return;
  const [answer] = (await port.questions.ask([QUESTION], port.signal)) ?? [];
  if (answer?.text) {
    port.send({ text: answer.text, images: [] });
    return;
  }
  const [label] = answer?.labels ?? [];
  if (label !== YES && label !== FRESH) return;
  user.setPlanning(false);
  if (label === FRESH) await port.reopen({ kind: "new" });
  const text = label === FRESH ? `Carry out this plan:\n\n${proposed}` : "Carry out the plan.";
  port.send({ text, images: [] });
}
