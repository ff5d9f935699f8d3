import { chmodSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../util/errors.ts";
import { codeOf, makePrivateFolder } from "../util/fs.ts";
import { shortHex } from "../util/ids.ts";
import { isRecord } from "../util/json.ts";
import { numberAt, textAt } from "./json.ts";

export type SessionLock = { release(): void };

type Holder = { pid: number; startTicks: string | undefined; since: string };

/** A lock file that its process had no time to fill is given up after this long. */
const EMPTY_LOCK_MS = 5000;

/**
 * Keeps other processes, and other writers of this one, from writing the session. Throws AppError "session.locked" that
 * says who has it. A lock whose process is gone is taken over. Where no lock file can be made, there is no lock.
 */
export function lockSession(home: string, id: string, now: () => Date): SessionLock {
  const path = join(home, "session-locks", `${id}.lock`);
  const token = JSON.stringify({
    pid: process.pid,
    start_ticks: startTicksOf(process.pid),
    since: now().toISOString(),
    nonce: shortHex(8),
  });
  for (let tries = 0; tries < 3; tries++) {
    const outcome = create(path, token);
    if (outcome === "made") return { release: () => release(path, token) };
    if (outcome === "impossible") return { release: () => {} };
    const found = read(path);
    if (found === undefined) continue;
    if (isHeld(path, found)) throw locked(id, path, found);
    takeAway(path, found);
  }
  throw locked(id, path, read(path) ?? "");
}

function create(path: string, token: string): "made" | "taken" | "impossible" {
  try {
    makePrivateFolder(dirname(path));
    writeFileSync(path, token, { flag: "wx", mode: 0o600 });
    chmodSync(path, 0o600);
    return "made";
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return "taken";
    // A full disk leaves an empty file behind; a read-only one leaves nothing. The session is worth more than its lock.
    if (codeOf(cause) === "ENOSPC") rmSync(path, { force: true });
    return "impossible";
  }
}

function release(path: string, token: string): void {
  if (read(path) === token) rmSync(path, { force: true });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function isHeld(path: string, content: string): boolean {
  const holder = parse(content);
  if (holder === undefined) return ageMs(path) < EMPTY_LOCK_MS;
  if (!isRunning(holder.pid)) return false;
  const ticks = startTicksOf(holder.pid);
  // The number of a process that is gone may have been given to another one.
  return ticks === undefined || holder.startTicks === undefined || ticks === holder.startTicks;
}

function parse(content: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(content);
    const pid = isRecord(value) ? numberAt(value, "pid") : undefined;
    if (!isRecord(value) || pid === undefined) return undefined;
    return { pid, startTicks: textAt(value, "start_ticks"), since: textAt(value, "since") ?? "" };
  } catch {
    return undefined;
  }
}

function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) === "EPERM";
  }
}

/** When the process was started, in clock ticks since the system was; undefined where there is no /proc. */
function startTicksOf(pid: number): string | undefined {
  // The name in parentheses may hold blanks; the start time is the 20th field after it.
  return read(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ")[19];
}

/** Removes a lock that nobody holds, unless someone else was faster and it is a new one by now. */
function takeAway(path: string, stale: string): void {
  const aside = `${path}.${process.pid}.${shortHex(8)}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (read(aside) !== stale) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process has locked the session in the meantime.
    }
  }
  rmSync(aside, { force: true });
}

function locked(id: string, path: string, content: string): AppError {
  const holder = parse(content);
  if (holder?.pid === process.pid)
    return new AppError("session.locked", `session ${id} is already open in this program`, {
      hint: "go on there, or fork the session",
    });
  const who = holder === undefined ? "another process" : `process ${holder.pid}, since ${holder.since}`;
  return new AppError("session.locked", `session ${id} is being written by ${who}`, {
    hint: `go on there, end it, or fork the session; if no such process runs, remove ${path}`,
  });
}
