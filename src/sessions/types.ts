import type { Emit, SessionFacts } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import type { Usage } from "../protocol/usage.ts";

export interface SessionStore {
  /** Nothing is on disk until the first event that must be kept was written. */
  create(facts: SessionFacts): SessionWriter;
  /** Throws AppError "session.not_found". Tolerates broken, cut, glued and unknown lines. */
  open(id: string): Promise<OpenedSession>;
  /** A copy under a new id; `facts.forkedFrom` names the source. */
  fork(id: string, facts: SessionFacts): Promise<OpenedSession>;
  /** Newest first. */
  list(filter: { cwd?: string; limit?: number }): Promise<SessionSummary[]>;
}

export type OpenedSession = {
  facts: SessionFacts;
  /** Valid: every tool call has exactly one result, directly after the calls of its answer, in order. */
  history: Item[];
  usage: Usage;
  /** What of the file could not be used, for the log and one warning. */
  damage: { lines: number; repairedCalls: number };
  writer: SessionWriter;
};

export interface SessionWriter extends AsyncDisposable {
  readonly path: string;
  /** Subscribed to a session's events; a failing disk is reported once through `onTrouble` and never stops the turn. */
  readonly listener: Emit;
  onTrouble(report: (message: string) => void): void;
  /** Resolves when everything written so far has reached the operating system. */
  flush(): Promise<void>;
}

export type SessionSummary = {
  id: string;
  path: string;
  cwd: string;
  createdAt: string;
  updatedAt: string;
  model?: string;
  title?: string;
  preview?: string;
};
