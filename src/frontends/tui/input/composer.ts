import { terminalSafe } from "../../../util/untrusted-text.ts";
import { applyEdit, type Draft, draftOf, type Edit, EMPTY_DRAFT } from "./draft.ts";
import type { EditorAction } from "./keymap.ts";

/** Something long or not textual, shown in the draft by its label. */
export type Attached = { label: string } & (
  | { kind: "paste"; text: string }
  | { kind: "image"; path: string }
);
/** What is sent: the text with its pastes unfolded, and the paths of its images in the order of their labels. */
export type Message = { text: string; images: readonly string[] };

/** A draft with what stands in it. */
export type Written = { readonly draft: Draft; readonly attached: readonly Attached[] };

/** The message being written, and where in the history the user looks. */
export type Composer = {
  readonly draft: Draft;
  readonly attached: readonly Attached[];
  /** How many earlier entries back the shown text is; what was being written is kept in `own`. */
  readonly browsing?: { readonly back: number; readonly own: Written };
};

export const EMPTY_COMPOSER: Composer = { draft: EMPTY_DRAFT, attached: [] };
/** Above one of these a paste is folded. */
const FOLD_CHARACTERS = 1000;
const FOLD_LINES = 10;

export function composerOf(text: string, attached: readonly Attached[] = []): Composer {
  return { draft: draftOf(text), attached };
}

/** The labels that stand in the draft, each moved over as a whole. */
export function atomsOf({ attached, draft }: Composer): string[] {
  return attached.map(({ label }) => label).filter((label) => draft.text.includes(label));
}

export function edit(composer: Composer, change: Edit): Composer {
  const draft = applyEdit(composer.draft, change, atomsOf(composer));
  if (draft === composer.draft) return composer;
  return draft.text === composer.draft.text ? { ...composer, draft } : { draft, attached: composer.attached };
}

export function insert(composer: Composer, text: string): Composer {
  return edit(composer, { edit: "insert", text });
}

/** Inserts a paste, folded when it is long. */
/** What would not be shown, such as colours of a log, is not sent either. */
export function paste(composer: Composer, pasted: string): Composer {
  const text = terminalSafe(pasted);
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (text.length <= FOLD_CHARACTERS && lines <= FOLD_LINES) return insert(composer, text);
  const size = lines > 1 ? `${lines} lines` : `${text.length} chars`;
  return attach(composer, {
    kind: "paste",
    text,
    label: `[Pasted #${countOf(composer, "paste")} · ${size}]`,
  });
}

export function attachImage(composer: Composer, path: string, about: string): Composer {
  const label = `[Image #${countOf(composer, "image")} ${about}]`;
  return insert(attach(composer, { kind: "image", path, label }), " ");
}

/** Puts the text of the folded paste at the cursor in its place; undefined when there is none. */
export function unfold(composer: Composer): Composer | undefined {
  const { text, cursor } = composer.draft;
  for (const one of composer.attached) {
    if (one.kind !== "paste") continue;
    for (let at = text.indexOf(one.label); at >= 0; at = text.indexOf(one.label, at + 1)) {
      const end = at + one.label.length;
      if (cursor < at || cursor > end) continue;
      return edit(composer, { edit: "replace", from: at, to: end, text: one.text });
    }
  }
  return undefined;
}

export function messageOf({ draft, attached }: Composer): Message {
  const images = attached.filter((one) => one.kind === "image" && draft.text.includes(one.label));
  const labels = images.toSorted((a, b) => draft.text.indexOf(a.label) - draft.text.indexOf(b.label));
  let text = draft.text;
  for (const one of attached) if (one.kind === "paste") text = text.replaceAll(one.label, () => one.text);
  return { text: text.trim(), images: labels.flatMap((one) => (one.kind === "image" ? [one.path] : [])) };
}

export function isEmpty({ draft }: Composer): boolean {
  return draft.text === "";
}

/** What stands in the draft, to be written again; undefined when it is nothing but text. */
export function keptOf({ draft: { text }, attached }: Composer): Written | undefined {
  const kept = attached.filter(({ label }) => text.includes(label));
  return kept.length === 0 ? undefined : { draft: draftOf(text), attached: kept };
}

/** Shows the entry before the one shown. `entries`: the newest first. */
export function older(composer: Composer, entries: readonly Written[]): Composer {
  const back = (composer.browsing?.back ?? 0) + 1;
  const entry = entries[back - 1];
  if (entry === undefined) return composer;
  const own = composer.browsing?.own ?? { draft: composer.draft, attached: composer.attached };
  return { ...entry, browsing: { back, own } };
}

/** Shows the entry after the one shown; after the newest, what the user was writing. */
export function newer(composer: Composer, entries: readonly Written[]): Composer {
  if (!composer.browsing) return composer;
  const { back, own } = composer.browsing;
  const entry = entries[back - 2];
  return entry === undefined ? own : { ...entry, browsing: { back: back - 1, own } };
}

/** On which side of the text nothing more can be reached with the arrow keys? */
export function isAtEdge({ draft: { text, cursor } }: Composer, side: "first" | "last"): boolean {
  return side === "first" ? !text.slice(0, cursor).includes("\n") : !text.slice(cursor).includes("\n");
}

const EDITS: Readonly<Record<EditorAction, Edit>> = {
  newline: { edit: "insert", text: "\n" },
  move_left: { edit: "move", to: "left" },
  move_right: { edit: "move", to: "right" },
  move_up: { edit: "move", to: "line_up" },
  move_down: { edit: "move", to: "line_down" },
  move_word_left: { edit: "move", to: "word_left" },
  move_word_right: { edit: "move", to: "word_right" },
  move_line_start: { edit: "move", to: "line_start" },
  move_line_end: { edit: "move", to: "line_end" },
  delete_backward: { edit: "backspace" },
  delete_forward: { edit: "delete" },
  delete_backward_word: { edit: "kill", what: "word_back" },
  delete_forward_word: { edit: "kill", what: "word_ahead" },
  kill_line_start: { edit: "kill", what: "to_start" },
  kill_line_end: { edit: "kill", what: "to_end" },
  yank: { edit: "yank" },
  undo: { edit: "undo" },
};

export function editOf(action: EditorAction): Edit {
  return EDITS[action];
}

function attach(composer: Composer, one: Attached): Composer {
  return insert({ ...composer, attached: [...composer.attached, one] }, one.label);
}

/** The first number that no label of this kind has. */
function countOf({ attached }: Composer, kind: Attached["kind"]): number {
  const numbers = attached.filter((one) => one.kind === kind).map(({ label }) => numberOf(label));
  return Math.max(0, ...numbers) + 1;
}

function numberOf(label: string): number {
  return Number(/#(\d+)/.exec(label)?.[1] ?? 0);
}

/** Several drafts as one, each on lines of its own; labels that two of them have are numbered anew. */
export function joined(composers: readonly Written[]): Composer {
  const parts = composers.filter(({ draft }) => draft.text !== "");
  const attached: Attached[] = [];
  let free = Math.max(0, ...parts.flatMap((part) => part.attached.map(({ label }) => numberOf(label)))) + 1;
  const texts = parts.map((part) => {
    let { text } = part.draft;
    for (const one of part.attached) {
      const isTaken = attached.some(({ label }) => label === one.label);
      const label = isTaken ? one.label.replace(/#\d+/, `#${free++}`) : one.label;
      if (isTaken) text = text.replaceAll(one.label, label);
      attached.push({ ...one, label });
    }
    return text;
  });
  return composerOf(texts.join("\n"), attached);
}
