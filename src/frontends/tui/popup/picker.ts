import { actionOf } from "../input/keymap.ts";
import type { KeyEvent } from "../input/keys.ts";
import { type AppState, type Step, type Surroundings, step } from "../state.ts";
import { matchRank } from "./match.ts";

export type PickItem = { value: string; label: string; about?: string; note?: string };
/** A choice that the user asked for. It has all keys until it closes. */
export type Picker = {
  title: string;
  items: readonly PickItem[];
  query: string;
  selected: number;
};

/** The items that the typed filter leaves. */
export function pickable({ items, query }: Picker): readonly PickItem[] {
  if (query === "") return items;
  return items.filter(
    ({ label, about = "" }) => matchRank(query, label) !== undefined || matchRank(query, about) === 0,
  );
}

export function pickerKey(state: AppState, picker: Picker, event: KeyEvent, around: Surroundings): Step {
  const shown = pickable(picker);
  const change = (part: Partial<Picker>) => step({ ...state, picker: { ...picker, ...part } });
  const done = (value: string | undefined) => step({ ...state, picker: undefined }, { do: "picked", value });
  switch (actionOf(around.keymap.list, event)) {
    case "up":
      return change({ selected: (picker.selected - 1 + shown.length) % Math.max(1, shown.length) });
    case "down":
      return change({ selected: (picker.selected + 1) % Math.max(1, shown.length) });
    case "page_up":
      return change({ selected: 0 });
    case "page_down":
      return change({ selected: Math.max(0, shown.length - 1) });
    case "cancel":
      return done(undefined);
    case "accept": {
      const chosen = shown[picker.selected];
      return chosen ? done(chosen.value) : step(state);
    }
    case "complete":
      return step(state);
    case undefined:
      return typed(picker, event, shown, change, done);
  }
}

function typed(
  picker: Picker,
  { name, ctrl, alt }: KeyEvent,
  shown: readonly PickItem[],
  change: (part: Partial<Picker>) => Step,
  done: (value: string | undefined) => Step,
): Step {
  if (name === "backspace") return change({ query: picker.query.slice(0, -1), selected: 0 });
  if (ctrl || alt || /^[a-z][a-z0-9]+$/.test(name)) return change({});
  // Digits choose only while nothing is typed: a name may have digits.
  const chosen = picker.query === "" && /^[1-9]$/.test(name) ? shown[Number(name) - 1] : undefined;
  return chosen ? done(chosen.value) : change({ query: picker.query + name, selected: 0 });
}
