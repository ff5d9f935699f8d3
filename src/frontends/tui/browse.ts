import { composerOf, isAtEdge, newer, older, type Written } from "./input/composer.ts";
import type { AppState, HistoryEntry } from "./state.ts";

/** An earlier message as it was written; of another run, only its text is known. */
export function writtenAs({ text, as }: HistoryEntry): Written {
  return as ?? composerOf(text);
}

/** Up in the first row and Down in the last go through what was said before; undefined elsewhere. */
export function browsed(state: AppState, to: "up" | "down"): AppState | undefined {
  const { composer, history } = state;
  if (!isAtEdge(composer, to === "up" ? "first" : "last")) return undefined;
  const entries = history.map(writtenAs);
  const shown = to === "up" ? older(composer, entries) : newer(composer, entries);
  return { ...state, composer: shown, popup: undefined };
}
