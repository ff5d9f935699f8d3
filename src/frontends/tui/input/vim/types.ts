import type { Draft } from "../draft.ts";
import type { Keymap } from "../keymap.ts";
import type { KeyEvent } from "../keys.ts";
import type { Operator } from "./edits.ts";
import type { Find, FindAction } from "./finds.ts";
import type { Place } from "./place.ts";

export type Vim = {
  mode: "insert" | "normal";
  /** What was pressed of a command so far. */
  pending?: Pending | undefined;
  /** What `;` looks for again. */
  find?: Find;
  /** What `.` is made of. */
  recent?: Recent;
};
export type Pending = {
  operator?: Operator;
  /** How many times, as it was written before the operator, and after it or without one. */
  times?: number;
  count?: number;
  /** What the next key is: part of an object's name, the other half of `gg`, or a character to write or to find. */
  awaits?: "inner" | "around" | "first_line" | "replace_char" | FindAction;
};
export type Stepped = { draft: Draft; vim: Vim };
/** What keys mean, and the labels that are moved over as a whole. */
export type VimKeys = { keymap: Keymap; atoms: readonly string[] };
/** A command that is known but for its place: how often, and what it was that `;` looks for. */
export type Asked = {
  place: Place;
  vim: Vim;
  count: number;
  isCounted: boolean;
  operator: Operator | undefined;
};

/** What `.` does again: the keys of a command, and what was typed after it. */
export type Change = { keys: readonly KeyEvent[]; typed: string };
/** The keys of the command that is being given, or was given and is being typed after; and the change before. */
export type Recent = {
  keys: readonly KeyEvent[];
  /** The text around the cursor when the typing began. */
  around?: { before: string; behind: string };
  change?: Change | undefined;
};
