import { isAtEdge, newer, older } from "./input/composer.ts";
import type { AppState } from "./state.ts";

/** Up in the first row and Down in the last go through what was said before; undefined elsewhere. */
export function browsed(state: AppState, to: "up" | "down"): AppState | undefined {
  const { composer, history } = state;
  if (!isAtEdge(composer, to === "up" ? "first" : "last")) return undefined;
  const texts = history.map((entry) => entry.text);
  const shown = to === "up" ? older(composer, texts) : newer(composer, texts);
  return { ...state, composer: shown, popup: undefined };
}
