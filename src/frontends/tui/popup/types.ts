import type { Composer } from "../input/composer.ts";

export type PopupItem = {
  label: string;
  about?: string;
  /** At the right: a key, an age. */
  note?: string;
  /** What takes the place of the word that the popup is for. */
  insert: string;
  /** Why it can't be chosen now. */
  disabledBecause?: string;
};

/** A list under the composer. `commands`, `files` and `skills` follow the word at the cursor; `history` has a filter of its own. */
export type Popup = {
  kind: "commands" | "files" | "skills" | "history";
  query: string;
  /** Where the word begins in the draft. */
  from: number;
  items: readonly PopupItem[];
  selected: number;
  /** Still being looked for. */
  isSearching: boolean;
  /** What the composer held before a history search. */
  before?: Composer;
};

/** A slash command as the palette shows it. */
export type CommandFacts = {
  name: string;
  aliases?: readonly string[];
  about: string;
  key?: string;
  /** Can't be used while a turn runs. */
  isIdleOnly: boolean;
};
