import type { AppState, Effect, Step, Surroundings } from "../state.ts";
import { commandItems } from "./commands.ts";
import { matchRank } from "./match.ts";
import type { Popup, PopupItem } from "./types.ts";

type Word = { kind: "commands" | "files" | "skills"; query: string; from: number };
type Known = Pick<Surroundings, "commands" | "skills">;

/** Opens, narrows or closes the popup that belongs to the word at the cursor. */
export function followWord(state: AppState, known: Known): Step {
  if (state.popup?.kind === "history") return { state, effects: [] };
  const word = wordAt(state.composer.draft.text, state.composer.draft.cursor);
  if (!word) return { state: { ...state, popup: undefined, closedPopup: undefined }, effects: [] };
  if (state.closedPopup === placeOf(word)) return { state: { ...state, popup: undefined }, effects: [] };
  if (word.kind === "files") return files(state, word);
  return { state: { ...state, popup: palette(state, word, known) }, effects: [] };
}

/** What Esc remembers, so that the popup does not come back with the next letter. */
export function placeOf({ kind, from }: Pick<Word, "kind" | "from"> | Popup): string {
  return `${kind}@${from}`;
}

function palette(state: AppState, word: Word, { commands, skills = [] }: Known): Popup | undefined {
  const items =
    word.kind === "skills"
      ? skillItems(skills, word.query)
      : commandItems(commands, word.query, state.turn !== undefined);
  return items.length === 0 ? undefined : { ...word, items, selected: 0, isSearching: false };
}

/** Not by scattered letters: whoever writes $PATH means no skill. */
function skillItems(skills: NonNullable<Known["skills"]>, query: string): PopupItem[] {
  return skills
    .flatMap((skill) => {
      const rank = matchRank(query, skill.name);
      return rank === undefined || rank >= 2 ? [] : [{ skill, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ skill: { name, description } }) => ({
      label: `$${name}`,
      about: description,
      insert: `$${name}`,
    }));
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
  const skill = /(?:^|\s)\$([A-Za-z][\w:.-]*|)$/.exec(before);
  if (skill) return { kind: "skills", query: skill[1] ?? "", from: cursor - (skill[1] ?? "").length - 1 };
  const mention = /(?:^|\s)@("[^"\n]*|[^\s"]*)$/.exec(before);
  if (!mention) return undefined;
  const typed = mention[1] ?? "";
  return { kind: "files", query: typed.replace(/^"/, ""), from: cursor - typed.length - 1 };
}
