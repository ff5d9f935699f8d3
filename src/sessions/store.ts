import { rmSync, statSync } from "node:fs";
import type { SessionFacts } from "../protocol/events.ts";
import { AppError } from "../util/errors.ts";
import { codeOf, factsOf } from "../util/fs.ts";
import { findRollout, notFound, type RolloutFile, rolloutFiles, rolloutPath } from "./find.ts";
import { lockSession } from "./lock.ts";
import { readNames, writeName } from "./names.ts";
import { isPacked, unpacked } from "./packed.ts";
import type { RolloutRecord } from "./record.ts";
import { Recorder } from "./recorder.ts";
import { openedSession, type Replayed, type ReplayOptions, replayFile } from "./replay.ts";
import { RolloutWriter } from "./rollout.ts";
import { summarize } from "./summary.ts";
import type { SessionStore, SessionSummary, SessionWriter } from "./types.ts";

/** A list looks at no more files than this, the last created first. */
const MAX_LISTED_FILES = 10_000;

export type SessionStoreOptions = {
  /** The program's home folder; sessions are below it. */
  home: string;
  now?: () => Date;
};

/** Sessions as files, one JSON line for each event that must be kept. */
export function createSessionStore({ home, now = () => new Date() }: SessionStoreOptions): SessionStore {
  return {
    create: (facts) => newWriter(home, facts, new Recorder({ now, facts }), now),

    async open(wanted) {
      const found = findRollout(home, wanted);
      const lock = lockSession(home, found.id, now);
      try {
        const file = await unpacked(found);
        const replayed = await readSession(file);
        const { facts } = replayed;
        const recorder = new Recorder({
          now,
          history: replayed.history,
          nextOrdinal: replayed.nextOrdinal,
          ...(replayed.factsFound ? {} : { facts }),
        });
        const writer = new RolloutWriter({ path: file.path, recorder, lock });
        return openedSession(replayed, titled(facts, readNames(home).get(file.id)), writer);
      } catch (cause) {
        lock.release();
        throw cause;
      }
    },

    async fork(wanted, newFacts, dropTurns) {
      const file = await unpacked(findRollout(home, wanted));
      const facts = { ...newFacts, forkedFrom: newFacts.forkedFrom ?? file.id };
      const copied: RolloutRecord[] = [];
      const replayed = await readSession(file, { onRecord: (record) => copied.push(record), dropTurns });
      const recorder = new Recorder({ now, facts, copied, history: replayed.history });
      return openedSession(replayed, facts, newWriter(home, facts, recorder, now));
    },

    list: async (filter) => list(home, filter),

    async rename(wanted, title) {
      writeName(home, findRollout(home, wanted).id, title, now());
    },

    async remove(id) {
      const files = [...rolloutFiles(home)].filter((file) => file.id === id);
      if (files.length === 0) throw notFound(id);
      const lock = lockSession(home, id, now);
      try {
        for (const { path } of files) rmSync(path, { force: true });
      } finally {
        lock.release();
      }
    },
  };
}

function newWriter(home: string, facts: SessionFacts, recorder: Recorder, now: () => Date): SessionWriter {
  const createdAt = new Date(facts.createdAt);
  const path = rolloutPath(home, facts.id, Number.isNaN(createdAt.getTime()) ? now() : createdAt);
  return new RolloutWriter({ path, recorder, lock: () => lockSession(home, facts.id, now) });
}

async function readSession(file: RolloutFile, options: ReplayOptions = {}): Promise<Replayed> {
  try {
    // Reading a pipe would never end.
    if (!statSync(file.path).isFile()) throw unusable(file, "it is not an ordinary file");
    const replayed = await replayFile(file.path, file, options);
    if (replayed.records === 0) throw unusable(file, "no line of it is part of a session");
    return replayed;
  } catch (cause) {
    const code = codeOf(cause);
    throw cause instanceof AppError || code === undefined ? cause : unusable(file, code, cause);
  }
}

function unusable(file: RolloutFile, why: string, cause?: unknown): AppError {
  return new AppError(
    "session.corrupt",
    `nothing could be read from the session record ${file.path}: ${why}`,
    {
      hint: "start a new session; move this file away if you need what is left of it",
      cause,
    },
  );
}

function titled(facts: SessionFacts, title: string | undefined): SessionFacts {
  return title === undefined ? facts : { ...facts, title };
}

function list(home: string, filter: { cwd?: string; limit?: number }): SessionSummary[] {
  const limit = filter.limit ?? Number.POSITIVE_INFINITY;
  const names = readNames(home);
  const summaries: SessionSummary[] = [];
  for (const file of lastChangedFirst(home)) {
    if (summaries.length >= limit) break;
    const summary = summarize(file, names.get(file.id), filter.cwd);
    if (summary !== undefined) summaries.push(summary);
  }
  return summaries;
}

function lastChangedFirst(home: string): RolloutFile[] {
  const files: { file: RolloutFile; changedAt: number }[] = [];
  for (const file of rolloutFiles(home)) {
    if (files.length >= MAX_LISTED_FILES) break;
    // Unpacking each would take longer than anybody waits for a list.
    const facts = isPacked(file.path) ? undefined : factsOf(file.path);
    if (facts?.isFile()) files.push({ file, changedAt: facts.mtimeMs });
  }
  // The sort keeps the order of creation among files of one time, such as those of a restored backup.
  return files.sort((a, b) => b.changedAt - a.changedAt).map(({ file }) => file);
}
