import { composerOf, EMPTY_COMPOSER, messageOf } from "../input/composer.ts";
import { type ApprovalAction, actionOf } from "../input/keymap.ts";
import type { KeyEvent } from "../input/keys.ts";
import type { Approval, ApprovalAnswer, AppState, Step, Surroundings } from "../state.ts";
import { step } from "../state.ts";
import { type Choice, choicesOf, scriptOf } from "./choices.ts";

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

function chosen(state: AppState, approval: Approval, action: ApprovalAction): Step {
  const choices = choicesOf(approval.request);
  const { selected } = approval;
  switch (action) {
    case "approve":
      return taken(
        state,
        approval,
        choices.find(({ key }) => key === "y"),
      );
    case "approve_for_session":
      return taken(
        state,
        approval,
        choices.find(({ key }) => key === "a"),
      );
    case "deny":
      return taken(
        state,
        approval,
        choices.find(({ key }) => key === "n"),
      );
    case "edit":
      return taken(
        state,
        approval,
        choices.find(({ key }) => key === "e"),
      );
    case "open_fullscreen":
      return taken(
        state,
        approval,
        choices.find(({ key }) => key === "v"),
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
  if ("shows" in does) return step(withFirst(state, { ...approval, isFull: !approval.isFull }));
  const composer = does.stage === "edit" ? composerOf(commandOf(approval)) : EMPTY_COMPOSER;
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
  if (isCancel && approval.stage === "edit")
    return step(withFirst(restored, { ...approval, stage: "choose", draftBefore: undefined }));
  if (isCancel) return answered(restored, approval, { decision: "denied" });
  if (actionOf(keymap.composer, event) !== "submit") return undefined;
  const { text } = messageOf(state.composer);
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

function commandOf({ request }: Approval): string {
  return request.kind === "command" ? scriptOf(request.argv) : "";
}
