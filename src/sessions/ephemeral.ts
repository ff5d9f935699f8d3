import { notFound } from "./find.ts";
import { withoutUndefined } from "./json.ts";
import type { RolloutRecord } from "./record.ts";
import { Recorder } from "./recorder.ts";
import { openedSession, Replay, type Replayed, type ReplayOptions } from "./replay.ts";
import { Head } from "./summary.ts";
import type { SessionStore, SessionSummary, SessionWriter } from "./types.ts";

type Kept = { lines: string[]; updatedAt: string; title?: string };

/** Sessions that live as long as this store: nothing is written to disk. */
export function createEphemeralStore(options: { now?: () => Date } = {}): SessionStore {
  const now = options.now ?? (() => new Date());
  const sessions = new Map<string, Kept>();

  return {
    create: (facts) => keep(sessions, facts.id, new Recorder({ now, facts }), now),

    async open(wanted) {
      const id = find(sessions, wanted);
      const replayed = replayLines(sessions, id);
      const { facts, history, nextOrdinal } = replayed;
      const writer = keep(sessions, id, new Recorder({ now, history, nextOrdinal }), now);
      const title = sessions.get(id)?.title ?? facts.title;
      return openedSession(replayed, withoutUndefined({ ...facts, title }), writer);
    },

    async fork(wanted, newFacts, dropTurns) {
      const id = find(sessions, wanted);
      const facts = { ...newFacts, forkedFrom: newFacts.forkedFrom ?? id };
      const copied: RolloutRecord[] = [];
      const replayed = replayLines(sessions, id, { onRecord: (record) => copied.push(record), dropTurns });
      const recorder = new Recorder({ now, facts, copied, history: replayed.history });
      return openedSession(replayed, facts, keep(sessions, facts.id, recorder, now));
    },

    async list({ cwd, limit }) {
      const newestFirst = [...sessions].reverse();
      const summaries = newestFirst.flatMap(([id, kept]) => summarizeKept(id, kept) ?? []);
      return summaries.filter((summary) => cwd === undefined || summary.cwd === cwd).slice(0, limit);
    },

    async rename(wanted, title) {
      const kept = sessions.get(find(sessions, wanted));
      if (kept !== undefined) kept.title = title;
    },

    async remove(id) {
      if (!sessions.delete(id)) throw notFound(id);
    },
  };
}

function keep(sessions: Map<string, Kept>, id: string, recorder: Recorder, now: () => Date): SessionWriter {
  return {
    path: "",
    listener(event) {
      const lines = recorder.linesFor(event);
      if (lines.length === 0) return;
      const kept = sessions.get(id) ?? { lines: [], updatedAt: "" };
      kept.lines.push(...lines);
      kept.updatedAt = now().toISOString();
      // The session changed last stands at the end.
      sessions.delete(id);
      sessions.set(id, kept);
    },
    onTrouble() {},
    async flush() {},
    async [Symbol.asyncDispose]() {},
  };
}

function find(sessions: ReadonlyMap<string, Kept>, wanted: string): string {
  if (sessions.has(wanted)) return wanted;
  const named = [...sessions].find(([, kept]) => kept.title === wanted);
  if (named === undefined) throw notFound(wanted);
  return named[0];
}

function replayLines(
  sessions: ReadonlyMap<string, Kept>,
  id: string,
  { onRecord, dropTurns }: ReplayOptions = {},
): Replayed {
  const replay = new Replay(onRecord);
  for (const line of sessions.get(id)?.lines ?? []) replay.add(JSON.parse(line));
  if (dropTurns) replay.dropTurns(dropTurns);
  return replay.finish({ id, createdAt: "" });
}

function summarizeKept(id: string, kept: Kept): SessionSummary | undefined {
  const head = new Head();
  for (const line of kept.lines) if (!head.isComplete()) head.add(JSON.parse(line));
  return head.summary({ id, path: "", createdAt: "" }, kept.updatedAt, kept.title);
}
