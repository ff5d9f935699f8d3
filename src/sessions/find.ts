import { readdirSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../util/errors.ts";
import { codeOf } from "../util/fs.ts";
import { localTime } from "../util/local-time.ts";
import { readNames } from "./names.ts";
import { isPacked, unpackedName } from "./packed.ts";

/** `createdAt` is RFC 3339 in UTC, from the local time in the file's name. */
export type RolloutFile = { path: string; id: string; createdAt: string };

/** Behind the id may stand the id of a revision of the same session. */
const FILE_NAME = /^rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-([^_]+?)(?:_.+)?\.jsonl(?:\.zst)?$/;
const MIN_PREFIX = 4;

/** Where the record of a session with this id lives. Throws AppError "bug" for an id that can't be part of a name. */
export function rolloutPath(home: string, id: string, createdAt: Date): string {
  if (!/^[A-Za-z0-9-]+$/.test(id)) throw new AppError("bug", `not a session id: ${JSON.stringify(id)}`);
  const { year, month, day, hours, minutes, seconds } = localTime(createdAt);
  const name = `rollout-${year}-${month}-${day}T${hours}-${minutes}-${seconds}-${id}.jsonl`;
  return join(home, "sessions", year, month, day, name);
}

/** All session files, the last created first. Folders are read only as far as files are asked for. */
export function* rolloutFiles(home: string): Generator<RolloutFile> {
  const root = join(home, "sessions");
  for (const year of newestFirst(root))
    for (const month of newestFirst(join(root, year)))
      for (const day of newestFirst(join(root, year, month))) yield* filesIn(join(root, year, month, day));
}

/** Finds a session by its id, its name, or the beginning of its id. Throws AppError "session.not_found". */
export function findRollout(home: string, wanted: string): RolloutFile {
  const files = [...rolloutFiles(home)];
  const found =
    files.find((file) => file.id === wanted) ?? byName(home, files, wanted) ?? byPrefix(files, wanted);
  if (found !== undefined) return found;
  const archived = [...filesIn(join(home, "archived_sessions"))].find((file) => file.id === wanted);
  if (archived !== undefined)
    throw new AppError("session.not_found", `session ${wanted} is archived`, {
      hint: `to go on with it, move ${archived.path} to ${placeOf(home, archived)}`,
    });
  throw notFound(wanted);
}

/** Where an archived session was. */
function placeOf(home: string, { id, createdAt, path }: RolloutFile): string {
  return rolloutPath(home, id, new Date(createdAt)) + (isPacked(path) ? ".zst" : "");
}

/** The error for a session that is not there. */
export function notFound(wanted: string): AppError {
  return new AppError("session.not_found", `no saved session found with the id or name ${wanted}`, {
    hint: "list the saved sessions with `interpreter resume`",
  });
}

function* filesIn(folder: string): Generator<RolloutFile> {
  const names = newestFirst(folder);
  for (const name of names) {
    const [, date, hours, minutes, seconds, id] = FILE_NAME.exec(name) ?? [];
    if (id === undefined || (isPacked(name) && names.includes(unpackedName(name)))) continue;
    const time = new Date(`${date}T${hours}:${minutes}:${seconds}`);
    const createdAt = Number.isNaN(time.getTime()) ? "" : time.toISOString();
    yield { path: join(folder, name), id, createdAt };
  }
}

function newestFirst(folder: string): string[] {
  try {
    return readdirSync(folder).sort().reverse();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new AppError("session.not_found", `the sessions in ${folder} can't be listed (${code ?? cause})`, {
      hint: "make the folder readable, or move it away",
      cause,
    });
  }
}

/** The session that was given this name last. */
function byName(home: string, files: readonly RolloutFile[], wanted: string): RolloutFile | undefined {
  const ids = [...readNames(home)].filter(([, name]) => name === wanted).map(([id]) => id);
  for (const id of ids.reverse()) {
    const file = files.find((candidate) => candidate.id === id);
    if (file !== undefined) return file;
  }
  return undefined;
}

function byPrefix(files: readonly RolloutFile[], wanted: string): RolloutFile | undefined {
  if (wanted.length < MIN_PREFIX) return undefined;
  const start = wanted.toLowerCase();
  const ids = [...new Set(files.map((file) => file.id).filter((id) => id.startsWith(start)))];
  if (ids.length < 2) return files.find((file) => file.id === ids[0]);
  throw new AppError("session.not_found", `${wanted} is the beginning of ${ids.length} session ids`, {
    hint: `give more of it: ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`,
  });
}
