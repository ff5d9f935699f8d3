import type { ApprovalRequest } from "../../../protocol/approvals.ts";
import { scriptOf } from "../../../util/shown-command.ts";
import { composerOf, EMPTY_COMPOSER, messageOf } from "../input/composer.ts";
import { type ApprovalAction, actionOf } from "../input/keymap.ts";
import type { KeyEvent } from "../input/keys.ts";
import type { Approval, ApprovalAnswer, AppState, Step, Surroundings } from "../state.ts";
import { step } from "../state.ts";
import { type Choice, choicesOf, ruleFrom } from "./choices.ts";

/** How long a question ignores keys: whoever was typing when it came did not mean it. */
export const GUARD_MS = 300;

/** What a key does to the question in front; undefined when it belongs to the composer. */
export function approvalKey(
  state: AppState,
  approval: Approval,
  event: KeyEvent,
  around: Surroundings,
): Step | undefined {
  if (approval.stage !== "choose") return writing(state, approval, event, around);
  if (approval.openAt === undefined) return undefined;
  if (around.now < approval.openAt) {
    // Still typing: the question opens when the hands have rested.
    return step(withFirst(state, { ...approval, openAt: around.now + GUARD_MS }));
  }
  const action = actionOf(around.keymap.approval, event);
  if (action === undefined) return event.ctrl || event.alt ? undefined : step(state);
  return chosen(state, approval, action);
}

/** The choice that each action takes. */
const LETTERS = {
  approve: "y",
  approve_for_session: "a",
  approve_for_prefix: "p",
  approve_always: "w",
  deny: "n",
  edit: "e",
  open_fullscreen: "v",
} as const;

function chosen(state: AppState, approval: Approval, action: ApprovalAction): Step {
  const choices = choicesOf(approval.request);
  const { selected } = approval;
  switch (action) {
    case "approve":
    case "approve_for_session":
    case "approve_for_prefix":
    case "approve_always":
    case "deny":
    case "edit":
    case "open_fullscreen":
      return taken(
        state,
        approval,
        choices.find(({ key }) => key === LETTERS[action]),
      );
    case "cancel":
      return answered(state, approval, { decision: "abort" });
    case "up":
      return step(
        withFirst(state, {
          ...approval,
          selected: ((selected ?? choices.length) - 1 + choices.length) % choices.length,
        }),
      );
    case "down":
      return step(withFirst(state, { ...approval, selected: ((selected ?? -1) + 1) % choices.length }));
    case "accept":
      return taken(state, approval, selected === undefined ? undefined : choices[selected]);
  }
}

function taken(state: AppState, approval: Approval, choice: Choice | undefined): Step {
  if (!choice) return step(state);
  const { does } = choice;
  if ("answer" in does) return answered(state, approval, does.answer);
  if ("shows" in does) return step(state, { do: "full_text", request: approval.request });
  const composer = composerOf(beginningOf(does.stage, approval.request));
  const next = {
    ...withFirst(state, { ...approval, stage: does.stage, draftBefore: state.composer }),
    composer,
  };
  return step({ ...next, popup: undefined });
}

/** The composer takes the reason, or another command; all but its end is the composer's. */
function writing(
  state: AppState,
  approval: Approval,
  event: KeyEvent,
  { keymap }: Surroundings,
): Step | undefined {
  const restored = { ...state, composer: approval.draftBefore ?? EMPTY_COMPOSER };
  const isCancel = actionOf(keymap.chat, event) === "interrupt_turn" || (event.ctrl && event.name === "c");
  if (isCancel && approval.stage !== "reason")
    return step(withFirst(restored, { ...approval, stage: "choose", draftBefore: undefined }));
  if (isCancel) return answered(restored, approval, { decision: "denied" });
  if (actionOf(keymap.composer, event) !== "submit") return undefined;
  const { text } = messageOf(state.composer);
  if (approval.stage === "rule") {
    const rule = ruleFrom(approval.request, text);
    if (rule) return answered(restored, approval, { decision: "approved_with_rule", rule });
    const least = beginningOf("rule", approval.request);
    return step({ ...state, hint: `has to be how this command begins, and at least: ${least}` });
  }
  if (approval.stage === "edit") {
    const message = `the user wants another command in its place; run this one: ${text}`;
    return answered(
      restored,
      approval,
      text === "" ? { decision: "denied" } : { decision: "denied", message },
    );
  }
  const message = `the user denied this call and says: ${text}`;
  return answered(restored, approval, text === "" ? { decision: "denied" } : { decision: "denied", message });
}

function answered(state: AppState, { request }: Approval, decision: ApprovalAnswer): Step {
  const approvals = state.approvals.filter((one) => one.request.id !== request.id);
  return step({ ...state, approvals }, { do: "decide", id: request.id, decision });
}

function withFirst(state: AppState, approval: Approval): AppState {
  return { ...state, approvals: [approval, ...state.approvals.slice(1)] };
}

/** What stands in the composer when it is taken for an answer. */
function beginningOf(stage: Approval["stage"], request: ApprovalRequest): string {
  if (request.kind !== "command") return "";
  if (stage === "rule") return request.proposedRule?.join(" ") ?? "";
  return stage === "edit" ? scriptOf(request.argv) : "";
}
