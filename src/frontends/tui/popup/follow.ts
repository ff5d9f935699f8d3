import type { AppState, Effect, Step } from "../state.ts";
import { commandItems } from "./commands.ts";
import type { CommandFacts, Popup } from "./types.ts";

type Word = { kind: "commands" | "files"; query: string; from: number };

/** Opens, narrows or closes the popup that belongs to the word at the cursor. */
export function followWord(state: AppState, commands: readonly CommandFacts[]): Step {
  if (state.popup?.kind === "history") return { state, effects: [] };
  const word = wordAt(state.composer.draft.text, state.composer.draft.cursor);
  if (!word) return { state: { ...state, popup: undefined, closedPopup: undefined }, effects: [] };
  if (state.closedPopup === placeOf(word)) return { state: { ...state, popup: undefined }, effects: [] };
  return word.kind === "commands"
    ? { state: { ...state, popup: palette(state, word, commands) }, effects: [] }
    : files(state, word);
}

/** What Esc remembers, so that the popup does not come back with the next letter. */
export function placeOf({ kind, from }: Pick<Word, "kind" | "from"> | Popup): string {
  return `${kind}@${from}`;
}

function palette(state: AppState, word: Word, commands: readonly CommandFacts[]): Popup | undefined {
  const items = commandItems(commands, word.query, state.turn !== undefined);
  return items.length === 0 ? undefined : { ...word, items, selected: 0, isSearching: false };
}

function files(state: AppState, word: Word): Step {
  const old = state.popup?.kind === "files" ? state.popup : undefined;
  if (old?.query === word.query && old.from === word.from) return { state, effects: [] };
  const popup: Popup = { ...word, items: old?.items ?? [], selected: 0, isSearching: true };
  const effect: Effect = { do: "find_files", query: word.query };
  return { state: { ...state, popup }, effects: [effect] };
}

function wordAt(text: string, cursor: number): Word | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before);
  if (command && /^\/[\w-]*(\s|$)/.test(text)) return { kind: "commands", query: command[1] ?? "", from: 0 };
  const mention = /(?:^|\s)@("[^"\n]*|[^\s"]*)$/.exec(before);
  if (!mention) return undefined;
  const typed = mention[1] ?? "";
  return { kind: "files", query: typed.replace(/^"/, ""), from: cursor - typed.length - 1 };
}
