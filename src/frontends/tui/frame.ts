import { approvalRows } from "./approval/rows.ts";
import { atomsOf } from "./input/composer.ts";
import type { Keymap } from "./input/keymap.ts";
import { keyRows } from "./key-table.ts";
import type { Popup } from "./popup/types.ts";
import type { AppState } from "./state.ts";
import { composerRows } from "./view/composer.ts";
import { listRows } from "./view/popup.ts";
import type { Cursor } from "./view/screen.ts";
import { type StatusFacts, statusRow, type WorkingFacts, workingRow } from "./view/status.ts";
import { cut, safe } from "./view/text.ts";
import type { Theme } from "./view/theme.ts";

export type FrameView = {
  state: AppState;
  width: number;
  height: number;
  theme: Theme;
  keymap: Keymap;
  /** What of the conversation is not in the scrollback yet, and rows above it while starting. */
  live: readonly string[];
  working: WorkingFacts | undefined;
  status: StatusFacts;
  /** Last lines of commands that run in the background. */
  background: readonly string[];
};
export type Frame = { rows: string[]; cursor: Cursor };

const MOST_POPUP_ROWS = 8;

/** The live part of the screen, from the unfinished conversation down to the status line. */
export function frameOf(view: FrameView): Frame {
  const { state, width, height, theme } = view;
  const composer = composerPart(view);
  const first = state.approvals[0];
  const isHidden = first?.stage === "choose" && first.openAt !== undefined;
  const below = belowComposer(view, isHidden);
  const written = isHidden ? 0 : composer.rows.length;
  // One row is left free, and one stands above the composer.
  const room = Math.max(3, height - 1 - written - below.length - (isHidden ? 0 : 1));
  const asked = first
    ? ["", ...approvalRows(first, state.approvals.length, { width, theme, maxRows: room })]
    : [];
  const above = [...pendingRows(view), ...workingRows(view)];
  const top = [...view.live, ...(above.length > 0 ? ["", ...above] : []), ...asked, ""];
  // On a screen too small for all, the composer and what is asked stay.
  const most = Math.max(1, height - 1 - written - below.length);
  if (isHidden) {
    const rows = [...top.slice(Math.max(0, top.length - 1 - most), -1), ...below];
    return { rows: inside(rows, width), cursor: { row: rows.length - 1, column: 0 } };
  }
  const shown = top.slice(Math.max(0, top.length - most));
  const cursor = { row: shown.length + composer.cursor.row, column: composer.cursor.column };
  return { rows: inside([...shown, ...composer.rows, ...below], width), cursor };
}

/** A row that is too wide would be two on the screen, and everything below it in the wrong place. */
function inside(rows: readonly string[], width: number): string[] {
  return rows.map((row) => (Bun.stringWidth(row) > width ? Bun.sliceAnsi(row, 0, width) : row));
}

function composerPart({ state, width, height, theme }: FrameView): Frame {
  const { composer } = state;
  const isEarly = state.phase === "starting";
  return composerRows({
    text: composer.draft.text,
    cursor: composer.draft.cursor,
    atoms: atomsOf(composer),
    width,
    maxRows: Math.max(1, Math.floor(height * 0.4)),
    placeholder: placeholderOf(state),
    mark: isEarly ? theme.dim(theme.marks.early) : theme.marks.prompt,
    theme,
  });
}

function placeholderOf({ approvals, turn, phase }: AppState): string {
  if (approvals[0]?.stage === "reason") return "what to do instead";
  if (phase !== "ready") return "type ahead; enter waits until everything is ready";
  if (turn) return "enter steers the turn, tab queues for after it";
  return "Ask, or / for commands, @ for files";
}

/** A list belongs to what is written, and goes with it. */
function belowComposer(view: FrameView, isHidden: boolean): string[] {
  const { state, width, theme } = view;
  const rows = [
    ...(state.popup && !isHidden ? popupRows(state.popup, view) : []),
    ...(state.showsKeys ? keyRows(view.keymap, width, theme) : []),
  ];
  const status = state.hint === undefined ? statusRow(view.status, width, theme) : hintRow(state.hint, view);
  return [...rows, status];
}

function hintRow(hint: string, { width, theme }: FrameView): string {
  return theme.warning(cut(`  ${safe(hint)}`, width - 1));
}

function popupRows(popup: Popup, { width, height, theme }: FrameView): string[] {
  const maxRows = Math.max(2, Math.min(MOST_POPUP_ROWS, Math.floor(height / 3)));
  const rows = listRows(popup.items, popup.selected, { width, theme, maxRows });
  const title =
    popup.kind === "history" ? [theme.accent(cut(`  history: ${safe(popup.query)}`, width - 1))] : [];
  if (rows.length > 0) return [...title, ...rows];
  const text = popup.isSearching ? "searching…" : popup.kind === "files" ? "no such file" : "nothing found";
  return [...title, theme.dim(`  ${text}`)];
}

/** What the user said that was not read yet. */
function pendingRows({ state, width, theme, background }: FrameView): string[] {
  const steers = state.steers
    .filter(({ isRead }) => !isRead)
    .map(({ message }) => `${theme.marks.steer} will be read at the next step: ${oneLine(message.text)}`);
  const queue = state.queue.map(({ draft }) => `${theme.marks.steer} queued: ${oneLine(draft.text)}`);
  return [...background, ...steers, ...queue].map((row) => theme.dim(cut(`  ${row}`, width - 1)));
}

function workingRows({ working, width, theme, state }: FrameView): string[] {
  return working && !state.approvals[0] ? [workingRow(working, width, theme)] : [];
}

function oneLine(text: string): string {
  return safe(text).replace(/\s*\n\s*/g, " ");
}
