import type { AppState, HistoryEntry } from "../state.ts";
import type { Popup, PopupItem } from "./types.ts";

/** The list of earlier messages that hold every word of the query. */
export function historyPopup(state: AppState, query: string, now: number): Popup {
  const before = state.popup?.before ?? state.composer;
  const words = query.toLowerCase().split(/\s+/);
  const items = state.history
    .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)))
    .slice(0, MOST)
    .map((entry) => itemOf(entry, now));
  return { kind: "history", query, from: 0, items, selected: 0, isSearching: false, before };
}

const MOST = 200;

function itemOf({ text, at, cwd }: HistoryEntry, now: number): PopupItem {
  const [line = ""] = text.trim().split("\n");
  const folder = cwd?.split("/").at(-1);
  const note = [ageOf(now - at), ...(folder ? [folder] : [])].join(" · ");
  return { label: line, insert: text, note };
}

/** How long ago, in one unit. */
export function ageOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
