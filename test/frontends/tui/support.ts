import { keymapWith } from "../../../src/frontends/tui/input/keymap.ts";
import { type InputEvent, key } from "../../../src/frontends/tui/input/keys.ts";
import type { CommandFacts } from "../../../src/frontends/tui/popup/types.ts";
import {
  type AppState,
  type Effect,
  INITIAL_STATE,
  type Surroundings,
} from "../../../src/frontends/tui/state.ts";
import { update } from "../../../src/frontends/tui/update.ts";

const COMMANDS: readonly CommandFacts[] = [
  { name: "new", about: "start a new conversation", isIdleOnly: true },
  { name: "model", about: "choose another model", isIdleOnly: true },
  { name: "status", about: "how things are", isIdleOnly: false },
  { name: "quit", aliases: ["exit"], about: "leave", isIdleOnly: false },
];

export const AROUND: Surroundings = { keymap: keymapWith(undefined), commands: COMMANDS, now: 1_000_000 };
export const READY_STATE: AppState = { ...INITIAL_STATE, phase: "ready" };
export const WORKING: AppState = { ...READY_STATE, turn: { startedAt: 0, isStopping: false } };

/** Keys as people write them: `ctrl+c`, `alt+enter`, `escape`; anything else is typed letter by letter. */
export function keys(...written: readonly string[]): InputEvent[] {
  return written.flatMap((one) => {
    const [, mods = "", name = ""] = /^((?:(?:ctrl|alt|shift)\+)*)(.+)$/su.exec(one) ?? [];
    const isNamed = mods !== "" || NAMED.has(one);
    if (!isNamed) return [...one].map((character) => key(character));
    return [
      key(name, { ctrl: mods.includes("ctrl"), alt: mods.includes("alt"), shift: mods.includes("shift") }),
    ];
  });
}

const NAMED = new Set([
  "enter",
  "escape",
  "tab",
  "up",
  "down",
  "left",
  "right",
  "backspace",
  "delete",
  "home",
  "end",
]);

/** The state and all effects after some events. */
export function after(
  state: AppState,
  events: readonly InputEvent[],
  around: Surroundings = AROUND,
): { state: AppState; effects: Effect[] } {
  const effects: Effect[] = [];
  let now = state;
  for (const event of events) {
    const step = update(now, event, around);
    now = step.state;
    effects.push(...step.effects);
  }
  return { state: now, effects };
}

export function draftAfter(state: AppState, ...written: readonly string[]): string {
  return after(state, keys(...written)).state.composer.draft.text;
}
