import { writtenAs } from "../browse.ts";
import { type Composer, composerOf, edit, insert } from "../input/composer.ts";
import { actionOf } from "../input/keymap.ts";
import type { KeyEvent } from "../input/keys.ts";
import { type AppState, type Step, type Surroundings, step } from "../state.ts";
import { submit } from "../submit.ts";
import { followWord, placeOf } from "./follow.ts";
import { historyPopup } from "./history.ts";
import type { Popup, PopupItem } from "./types.ts";

/** A page of a list, in rows. */
const PAGE = 8;

/** What a key does to an open popup; undefined when it is the composer's. */
export function popupKey(
  state: AppState,
  popup: Popup,
  event: KeyEvent,
  around: Surroundings,
): Step | undefined {
  const action = actionOf(around.keymap.list, event);
  switch (action) {
    case "up":
      return moved(state, popup, -1);
    case "down":
      return moved(state, popup, 1);
    case "page_up":
      return moved(state, popup, -PAGE);
    case "page_down":
      return moved(state, popup, PAGE);
    case "cancel":
      return event.ctrl && popup.kind !== "history" ? undefined : closed(state, popup);
    case "accept":
    case "complete":
      return accepted(state, popup, action, around);
    case undefined:
      return popup.kind === "history" ? filtered(state, popup, event, around) : undefined;
  }
}

function moved(state: AppState, popup: Popup, by: number): Step {
  const { length } = popup.items;
  if (length === 0) return step(state);
  const wanted = popup.selected + by;
  const isOneStep = Math.abs(by) === 1;
  const selected = isOneStep ? (wanted + length) % length : Math.max(0, Math.min(length - 1, wanted));
  return step({ ...state, popup: { ...popup, selected } });
}

function chosenOf({ history }: AppState, text: string): Composer {
  const entry = history.find((one) => one.text === text);
  return entry ? writtenAs(entry) : composerOf(text);
}

function closed(state: AppState, popup: Popup): Step {
  if (popup.kind === "history")
    return step({ ...state, popup: undefined, composer: popup.before ?? state.composer });
  return step({ ...state, popup: undefined, closedPopup: placeOf(popup) });
}

function accepted(
  state: AppState,
  popup: Popup,
  action: "accept" | "complete",
  around: Surroundings,
): Step | undefined {
  const item = popup.items[popup.selected];
  if (!item) return popup.kind === "history" ? closed(state, popup) : undefined;
  switch (popup.kind) {
    case "history":
      return step({ ...state, popup: undefined, composer: chosenOf(state, item.insert) });
    case "files":
      return inserted(state, popup, item, around);
    case "skills":
      return named(state, popup, item, around);
    case "commands":
      return command(state, item, action, around);
  }
}

function command(
  state: AppState,
  item: PopupItem,
  action: "accept" | "complete",
  around: Surroundings,
): Step {
  if (action === "complete") {
    const composer = composerOf(`${item.insert} `);
    return step({ ...state, composer, popup: undefined });
  }
  if (item.disabledBecause !== undefined)
    return step({ ...state, hint: `${item.label}: ${item.disabledBecause}` });
  return submit({ ...state, composer: composerOf(item.insert), popup: undefined }, "steer", around);
}

const IMAGE = /\.(png|jpe?g|gif|webp)$/i;

function inserted(state: AppState, popup: Popup, { insert: path }: PopupItem, around: Surroundings): Step {
  const { cursor } = state.composer.draft;
  const bare = edit(state.composer, { edit: "replace", from: popup.from, to: cursor, text: "" });
  const next = { ...state, popup: undefined, closedPopup: undefined };
  if (IMAGE.test(path)) return step({ ...next, composer: bare }, { do: "paste", text: path });
  const written = /\s/.test(path) ? `"${path}"` : path;
  const hint = `${path} · for some lines only, write :10-20 behind the name`;
  return followWord({ ...next, hint, composer: insert(bare, `${written} `) }, around);
}

function named(state: AppState, { from }: Popup, item: PopupItem, around: Surroundings): Step {
  const { cursor } = state.composer.draft;
  const composer = edit(state.composer, { edit: "replace", from, to: cursor, text: `${item.insert} ` });
  return followWord({ ...state, popup: undefined, closedPopup: undefined, composer }, around);
}

function filtered(
  state: AppState,
  popup: Popup,
  event: KeyEvent,
  { keymap, now }: Surroundings,
): Step | undefined {
  if (actionOf(keymap.global, event) === "suspend") return undefined;
  const { name, ctrl, alt } = event;
  const query = [...popup.query];
  if (name === "backspace")
    return step({ ...state, popup: historyPopup(state, query.slice(0, -1).join(""), now) });
  if (ctrl && name === "r") return moved(state, popup, 1);
  if (ctrl && name === "s") return moved(state, popup, -1);
  if (ctrl || alt || /^[a-z][a-z0-9]+$/.test(name)) return step(state);
  return step({ ...state, popup: historyPopup(state, popup.query + name, now) });
}
