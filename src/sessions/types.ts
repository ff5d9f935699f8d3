import type { Emit, SessionFacts, TurnContext } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import type { Usage } from "../protocol/usage.ts";

export interface SessionStore {
  /** Nothing is on disk until the first event that must be kept was written. */
  create(facts: SessionFacts): SessionWriter;
  /**
   * `id` is an id, the unique beginning of one, or a name. Tolerates broken, cut, glued and unknown lines. Throws AppError
   * "session.not_found", "session.locked" when another writer has it, "session.corrupt" when nothing in it can be read.
   */
  open(id: string): Promise<OpenedSession>;
  /** A copy under a new id, without its last `dropTurns` turns; `facts.forkedFrom` names the source. */
  fork(id: string, facts: SessionFacts, dropTurns?: number): Promise<OpenedSession>;
  /** Newest first: by the time of the last change. Sessions of sub-agents are left out. */
  list(filter: { cwd?: string; limit?: number }): Promise<SessionSummary[]>;
  /** Gives the session with this id a name under which `open` finds it; the newest name counts. */
  rename(id: string, title: string): Promise<void>;
  /** Removes the record of the session with exactly this id. Throws AppError "session.not_found", "session.locked". */
  remove(id: string): Promise<void>;
}

export type OpenedSession = {
  facts: SessionFacts;
  /** Valid: every tool call has exactly one result, directly after the calls of its answer. */
  history: Item[];
  usage: Usage;
  /** Answers of the model that `usage` is the sum of. */
  answers: number;
  /** The settings of the last turn, as far as the record tells them. */
  lastContext?: LastContext;
  /** What of the file could not be used, for the log and one warning. */
  damage: Damage;
  writer: SessionWriter;
};

/** `repairedCalls` counts results that were made up for a call, or dropped for lack of one. */
export type Damage = { lines: number; repairedCalls: number };

export type LastContext = Partial<
  Pick<TurnContext, "cwd" | "provider" | "model" | "harness" | "effort" | "approvals" | "sandboxMode">
>;

export interface SessionWriter extends AsyncDisposable {
  /** Empty when the session is kept in memory only. */
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
  source: SessionFacts["source"];
  model?: string;
  title?: string;
  preview?: string;
};
