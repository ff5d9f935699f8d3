/** The text being written and where its cursor stands, in UTF-16 units, always between two graphemes. */
export type Draft = {
  readonly text: string;
  readonly cursor: number;
  /** What the last killing took, for `yank`. */
  readonly killed: string;
  readonly past: readonly Snapshot[];
};
type Snapshot = { text: string; cursor: number };

export type Edit =
  | { edit: "insert"; text: string }
  | { edit: "replace"; from: number; to: number; text: string }
  | { edit: "backspace" | "delete" | "undo" | "yank" }
  | { edit: "kill"; what: "to_end" | "to_start" | "word_back" | "word_ahead" }
  | { edit: "move"; to: Motion };
export type Motion =
  | "left"
  | "right"
  | "word_left"
  | "word_right"
  | "line_start"
  | "line_end"
  | "line_up"
  | "line_down"
  | "start"
  | "end";

export const EMPTY_DRAFT: Draft = { text: "", cursor: 0, killed: "", past: [] };
const MAX_PAST = 200;
/** Of drafts this long in sum, older ones can't be had back; the last can. */
const MAX_PAST_CHARACTERS = 8 * 1024 * 1024;

export function draftOf(text: string): Draft {
  return { ...EMPTY_DRAFT, text, cursor: text.length };
}

/** Applies one edit. `atoms` are texts inside the draft that are moved over and removed as a whole. */
export function applyEdit(draft: Draft, edit: Edit, atoms: readonly string[] = []): Draft {
  switch (edit.edit) {
    case "insert":
      return splice(draft, draft.cursor, draft.cursor, edit.text);
    case "replace":
      return splice(draft, edit.from, edit.to, edit.text);
    case "backspace":
      return splice(draft, before(draft.text, draft.cursor, atoms), draft.cursor, "");
    case "delete":
      return splice(draft, draft.cursor, after(draft.text, draft.cursor, atoms), "");
    case "kill":
      return kill(draft, edit.what, atoms);
    case "yank":
      return splice(draft, draft.cursor, draft.cursor, draft.killed);
    case "undo": {
      const last = draft.past.at(-1);
      return last ? { ...draft, ...last, past: draft.past.slice(0, -1) } : draft;
    }
    case "move":
      return { ...draft, cursor: target(draft, edit.to, atoms) };
  }
}

function splice(draft: Draft, from: number, to: number, text: string): Draft {
  if (from === to && text === "") return draft;
  const past = [...kept(draft.past, draft.text.length), { text: draft.text, cursor: draft.cursor }];
  return {
    ...draft,
    text: draft.text.slice(0, from) + text + draft.text.slice(to),
    cursor: from + text.length,
    past,
  };
}

/** What of the past stays beside one more draft of `size` characters. */
function kept(past: readonly Snapshot[], size: number): readonly Snapshot[] {
  const from = Math.max(0, past.length - MAX_PAST + 1);
  let sum = size;
  const tooMuch = past.findLastIndex(({ text }, i) => {
    sum += text.length;
    return i < from || sum > MAX_PAST_CHARACTERS;
  });
  return past.slice(tooMuch + 1);
}

function kill(draft: Draft, what: Extract<Edit, { edit: "kill" }>["what"], atoms: readonly string[]): Draft {
  const { text, cursor } = draft;
  const [from, to] = {
    to_end: () => [cursor, text[cursor] === "\n" ? cursor + 1 : lineEnd(text, cursor)] as const,
    to_start: () => [text[cursor - 1] === "\n" ? cursor - 1 : lineStart(text, cursor), cursor] as const,
    word_back: () => [wordStart(text, cursor, atoms), cursor] as const,
    word_ahead: () => [cursor, wordEnd(text, cursor, atoms)] as const,
  }[what]();
  const killed = text.slice(from, to);
  return killed === "" ? draft : { ...splice(draft, from, to, ""), killed };
}

function target({ text, cursor }: Draft, motion: Motion, atoms: readonly string[]): number {
  switch (motion) {
    case "left":
      return before(text, cursor, atoms);
    case "right":
      return after(text, cursor, atoms);
    case "word_left":
      return wordStart(text, cursor, atoms);
    case "word_right":
      return wordEnd(text, cursor, atoms);
    case "line_start":
      return lineStart(text, cursor);
    case "line_end":
      return lineEnd(text, cursor);
    case "line_up":
      return otherLine(text, cursor, -1);
    case "line_down":
      return otherLine(text, cursor, 1);
    case "start":
      return 0;
    case "end":
      return text.length;
  }
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** The same column, counted in cells, one line up or down; the end of the text when there is no such line. */
function otherLine(text: string, cursor: number, by: -1 | 1): number {
  const start = lineStart(text, cursor);
  const column = Bun.stringWidth(text.slice(start, cursor));
  if (by < 0 && start === 0) return 0;
  if (by > 0 && lineEnd(text, cursor) === text.length) return text.length;
  const other = by < 0 ? lineStart(text, start - 1) : lineEnd(text, cursor) + 1;
  const line = text.slice(other, lineEnd(text, other));
  let width = 0;
  for (const { segment, index } of graphemes.segment(line)) {
    width += Bun.stringWidth(segment);
    if (width > column) return other + index;
  }
  return other + line.length;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function before(text: string, at: number, atoms: readonly string[]): number {
  const atom = atoms.find((one) => one !== "" && text.endsWith(one, at) && at >= one.length);
  if (atom) return at - atom.length;
  let last = 0;
  const from = Math.max(0, at - 64);
  for (const { index } of graphemes.segment(text.slice(from, at))) last = from + index;
  return at === 0 ? 0 : last;
}

function after(text: string, at: number, atoms: readonly string[]): number {
  const atom = atoms.find((one) => one !== "" && text.startsWith(one, at));
  if (atom) return at + atom.length;
  for (const { segment } of graphemes.segment(text.slice(at, at + 64))) return at + segment.length;
  return at;
}

function wordStart(text: string, cursor: number, atoms: readonly string[]): number {
  let at = cursor;
  while (at > 0 && isGap(text.slice(before(text, at, atoms), at))) at = before(text, at, atoms);
  while (at > 0 && !isGap(text.slice(before(text, at, atoms), at))) at = before(text, at, atoms);
  return at;
}

function wordEnd(text: string, cursor: number, atoms: readonly string[]): number {
  let at = cursor;
  while (at < text.length && isGap(text.slice(at, after(text, at, atoms)))) at = after(text, at, atoms);
  while (at < text.length && !isGap(text.slice(at, after(text, at, atoms)))) at = after(text, at, atoms);
  return at;
}

function isGap(segment: string): boolean {
  return /^[\s\p{P}]+$/u.test(segment) && segment !== "_" && segment.length < 3;
}
