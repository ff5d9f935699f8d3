import { approvalKey } from "./approval/keys.ts";
import { browsed } from "./browse.ts";
import {
  EMPTY_COMPOSER,
  edit,
  editOf,
  insert,
  isEmpty,
  joined,
  keptOf,
  messageOf,
  unfold,
} from "./input/composer.ts";
import { actionOf } from "./input/keymap.ts";
import type { InputEvent, KeyEvent } from "./input/keys.ts";
import { followWord } from "./popup/follow.ts";
import { historyPopup } from "./popup/history.ts";
import { popupKey } from "./popup/keys.ts";
import { type AppState, type Effect, type Step, type Surroundings, step } from "./state.ts";
import { submit } from "./submit.ts";
import { safeLine } from "./view/text.ts";
import { leftInsert, vimStep } from "./vim-keys.ts";

/** What one event of the terminal does. Exactly one part gets it: the approval, else the popup, else the composer. */
export function update(state: AppState, event: InputEvent, around: Surroundings): Step {
  if (event.type === "paste") return pasted(state, event.text, around);
  if (event.type !== "key") return step(state);
  const [first] = state.approvals;
  // A question that was not painted yet was not seen: what is typed belongs to the composer.
  if (first?.openAt !== undefined) {
    const answered = approvalKey(state, first, event, around);
    if (answered) return answered;
  }
  return composing(state, event, around);
}

function pasted(state: AppState, text: string, around: Surroundings): Step {
  const [first] = state.approvals;
  if (first?.openAt !== undefined && first.stage === "choose") return step(state);
  if (state.popup?.kind === "history")
    return step({ ...state, popup: historyPopup(state, state.popup.query + safeLine(text), around.now) });
  return then(step({ ...state, isQuitArmed: false, hint: undefined }, { do: "paste", text }), around);
}

function composing(before: AppState, event: KeyEvent, around: Surroundings): Step {
  const isQuit = actionOf([["quit", ["ctrl+c", "ctrl+d"]]], event) !== undefined;
  const isEscape = actionOf(around.keymap.chat, event) === "interrupt_turn";
  const calm = isEscape ? before : { ...before, isEditArmed: false };
  const state = isQuit ? calm : { ...calm, isQuitArmed: false, hint: undefined, showsKeys: false };
  if (state.popup) {
    const done = popupKey(state, state.popup, event, around);
    if (done) return done;
  }
  const result =
    stopping(state, event, around) ??
    global(state, event, around) ??
    asking(state, event, around) ??
    editing(state, event, around);
  return result ?? step(state);
}

/** Esc, Ctrl+C and Ctrl+D, in the fixed order of what they end. */
function stopping(state: AppState, event: KeyEvent, { keymap }: Surroundings): Step | undefined {
  const { turn, composer, isQuitArmed } = state;
  if (actionOf(keymap.chat, event) === "interrupt_turn") {
    const left = leftInsert(state);
    if (left) return step(left);
    return turn ? interrupted(state) : escaped(state);
  }
  const isBreak = event.ctrl && event.name === "c";
  const isEnd = event.ctrl && event.name === "d" && isEmpty(composer);
  if (!isBreak && !isEnd) return undefined;
  if (isBreak && !isEmpty(composer)) {
    return step(
      { ...state, composer: EMPTY_COMPOSER, hint: undefined, isQuitArmed: false },
      { do: "remember", text: messageOf(composer).text, as: keptOf(composer) },
    );
  }
  if (isBreak && turn && !turn.isStopping) return interrupted(state);
  if (isQuitArmed || (isEnd && !turn)) return step({ ...state, hint: undefined }, { do: "quit" });
  const hint = `${isEnd ? "ctrl+d" : "ctrl+c"} again to quit`;
  return step({ ...state, isQuitArmed: true, hint }, { do: "arm_quit" });
}

/** Esc with nothing to end: twice on an empty composer, an earlier message can be changed. */
function escaped(state: AppState): Step {
  if (!isEmpty(state.composer) || state.phase !== "ready") return step({ ...state, isEditArmed: false });
  if (state.isEditArmed)
    return step({ ...state, isEditArmed: false }, { do: "command", name: "edit", argument: "" });
  return step({ ...state, isEditArmed: true, hint: "esc again to change an earlier message" });
}

function interrupted(state: AppState): Step {
  if (!state.turn || state.turn.isStopping) return step(state);
  return step({ ...state, turn: { ...state.turn, isStopping: true } }, { do: "interrupt" });
}

function global(state: AppState, event: KeyEvent, { keymap }: Surroundings): Step | undefined {
  switch (actionOf(keymap.global, event)) {
    case undefined:
      return undefined;
    case "open_transcript":
      return step(state, { do: "transcript" });
    case "open_external_editor":
      return step(state, { do: "editor" });
    case "copy":
      return step(state, { do: "copy" });
    case "clear_terminal":
      return step(state, { do: "repaint" });
    case "suspend":
      return step(state, { do: "suspend" });
    case "toggle_vim_mode":
      return step(state, { do: "command", name: "vim", argument: "" });
    case "toggle_side_conversation":
      return step(state, { do: "command", name: "side", argument: "" });
  }
}

function asking(state: AppState, event: KeyEvent, around: Surroundings): Step | undefined {
  const { keymap } = around;
  switch (actionOf(keymap.chat, event)) {
    case "edit_queued_message":
      return takeBack(state);
    case "increase_reasoning_effort":
      return step(state, { do: "effort", by: 1 });
    case "decrease_reasoning_effort":
      return step(state, { do: "effort", by: -1 });
    case "toggle_plan_mode":
      return step(state, { do: "command", name: "plan", argument: "" });
    case "interrupt_turn":
    case undefined:
      break;
  }
  switch (actionOf(keymap.composer, event)) {
    case undefined:
      return undefined;
    case "submit":
      return submit(state, "steer", around);
    case "queue":
      return state.turn || state.phase !== "ready" ? submit(state, "queue", around) : step(state);
    case "toggle_shortcuts":
      return isEmpty(state.composer) ? step({ ...state, showsKeys: true }) : undefined;
    case "history_search_previous":
      return step({ ...state, popup: historyPopup(state, "", around.now) });
    case "paste_image":
      return step(state, { do: "paste_image" });
  }
}

function takeBack(state: AppState): Step {
  const last = state.queue.at(-1);
  if (!last) return step(state);
  return step({ ...state, queue: state.queue.slice(0, -1), composer: joined([state.composer, last]) });
}

function editing(state: AppState, event: KeyEvent, around: Surroundings): Step | undefined {
  const { composer } = state;
  const moved = state.vim?.mode === "normal" ? vimStep(state, event, around) : undefined;
  if (moved) return then(step(moved), around);
  const action = actionOf(around.keymap.editor, event);
  if (action === undefined) {
    const text = textOf(event);
    return text === undefined
      ? undefined
      : then(step({ ...state, composer: insert(composer, text) }), around);
  }
  const edge = action === "move_up" ? "up" : action === "move_down" ? "down" : undefined;
  const earlier = edge && browsed(state, edge);
  if (earlier) return step(earlier);
  const unfolded = action === "move_line_end" ? unfold(composer) : undefined;
  return then(step({ ...state, composer: unfolded ?? edit(composer, editOf(action)) }), around);
}

/** What a key writes; undefined for one that writes nothing. */
export function textOf({ name, ctrl, alt }: KeyEvent): string | undefined {
  if (ctrl || alt) return undefined;
  if (name === "space") return " ";
  return isNamed(name) ? undefined : name;
}

/** Keys without a character have names of ASCII letters; a character is one grapheme. */
function isNamed(name: string): boolean {
  return /^[a-z][a-z0-9]+$/.test(name);
}

/** After every change of the draft, the popup follows. */
function then({ state, effects }: Step, around: Surroundings): Step {
  const followed = followWord(state, around);
  const all: Effect[] = [...effects, ...followed.effects];
  return { state: followed.state, effects: all };
}
