import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError } from "../util/errors.ts";
import { codeOf, makePrivateFolder } from "../util/fs.ts";
import { entryAt } from "./paths.ts";

/**
 * `kept`: an empty folder of ours is there until `release`. `occupied`: something real is there after all. What is in
 * neither list can't be made by a command either.
 */
export type Held = { kept: string[]; occupied: string[]; release(): void };

// Nobody else makes folders that their owner can't write to, so the mode says that a folder is ours.
const MODE = 0o555;
const ANY_WRITE_BIT = 0o222;

/**
 * Something has to be mounted where a protected name is missing, and a mount needs a folder underneath. Such empty
 * folders exist on the disk while a command runs. Each process writes down which ones it holds, so that two of them can
 * share one, and so that the next start can clear up after a process that was killed.
 */
export class Litter {
  readonly #registries: readonly string[];
  readonly #own: string;
  readonly #holders = new Map<string, number>();
  #hasSwept = false;

  /**
   * `registries` are folders that no command may write to. The first one that takes a note gets it, and is created when
   * first needed; the others are for a home that is read-only or full.
   */
  constructor(registries: readonly string[]) {
    this.#registries = registries;
    this.#own = `${process.pid}-${startOf(process.pid)}`;
  }

  /** Makes the folders that are missing. Throws AppError "sandbox.unavailable" when a command could make one and we can't. */
  hold(paths: readonly string[]): Held {
    if (paths.length === 0) return { kept: [], occupied: [], release: () => {} };
    if (!this.#hasSwept) {
      sweep(this.#registries);
      this.#hasSwept = true;
    }
    // Written down first: a process that is killed in between leaves a note too many, never a folder.
    for (const path of paths) this.#holders.set(path, (this.#holders.get(path) ?? 0) + 1);
    try {
      this.#record();
    } catch (cause) {
      this.#forget(paths);
      throw cause;
    }
    const kept: string[] = [];
    const occupied: string[] = [];
    try {
      for (const path of paths) {
        const result = this.#make(path);
        if (result === "kept") kept.push(path);
        if (result === "occupied") occupied.push(path);
      }
    } catch (cause) {
      this.#release(paths, kept);
      throw cause;
    }
    this.#release(
      paths.filter((path) => !kept.includes(path)),
      [],
    );
    return { kept, occupied, release: () => this.#release(kept, kept) };
  }

  #make(path: string): "kept" | "occupied" | "impossible" {
    try {
      mkdirSync(path, { mode: MODE });
      return "kept";
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") return impossible(path, cause);
    }
    const isShared =
      (this.#holders.get(path) ?? 0) > 1 || heldByOthers(this.#registries, this.#own).has(path);
    return isShared ? "kept" : "occupied";
  }

  /** Lets go of `paths`; those of them that are `made` are removed when nobody else holds them. */
  #release(paths: readonly string[], made: readonly string[]): void {
    const last = this.#forget(paths);
    if (last.length === 0) return;
    this.#record();
    const elsewhere = heldByOthers(this.#registries, this.#own);
    for (const path of last) if (made.includes(path) && !elsewhere.has(path)) removeIfOurs(path);
  }

  /** Those of the paths that nothing of ours holds any more. */
  #forget(paths: readonly string[]): string[] {
    return paths.filter((path) => {
      const left = (this.#holders.get(path) ?? 1) - 1;
      if (left > 0) this.#holders.set(path, left);
      else this.#holders.delete(path);
      return left <= 0;
    });
  }

  #record(): void {
    if (this.#holders.size === 0) {
      for (const registry of this.#registries) removeFile(join(registry, this.#own));
      return;
    }
    const notes = JSON.stringify([...this.#holders.keys()]);
    const failures: unknown[] = [];
    for (const registry of this.#registries) {
      try {
        writeNote(registry, this.#own, notes);
        return;
      } catch (cause) {
        failures.push(cause);
      }
    }
    const where = this.#registries.join(" or ");
    throw new AppError(
      "sandbox.unavailable",
      `the sandbox can't write its notes to ${where} (${codeOf(failures[0])})`,
      {
        hint: "make room there, make one of these folders writable, or use the read-only sandbox",
        cause: failures[0],
      },
    );
  }
}

function writeNote(registry: string, name: string, notes: string): void {
  const folder = entryAt(registry);
  if (folder === undefined) makePrivateFolder(registry);
  else if (!folder.isDirectory() || folder.uid !== process.getuid?.())
    throw new Error(`${registry} belongs to somebody else`);
  writeFileSync(join(registry, name), notes, { mode: 0o600 });
}

/** May this be an empty folder that a running process made? */
export function isLeftByLitter(entry: Stats): boolean {
  return entry.isDirectory() && (entry.mode & ANY_WRITE_BIT) === 0 && entry.uid === process.getuid?.();
}

function impossible(path: string, cause: unknown): "impossible" {
  const code = codeOf(cause);
  if (code === "EROFS" || code === "ENOENT" || code === "ENOTDIR") return "impossible";
  const isRefused = code === "EACCES" || code === "EPERM";
  if (isRefused && entryAt(dirname(path))?.uid !== process.getuid?.()) return "impossible";
  throw new AppError("sandbox.unavailable", `the sandbox can't keep ${path} from being created (${code})`, {
    hint: `check that you may write to ${dirname(path)}, or use the read-only sandbox`,
    cause,
  });
}

/** Removes what processes that are gone left behind. */
function sweep(registries: readonly string[]): void {
  const held = heldByOthers(registries, "");
  for (const file of registries.flatMap(filesIn)) {
    if (isAlive(file)) continue;
    for (const path of pathsIn(file)) if (!held.has(path)) removeIfOurs(path);
    removeFile(file);
  }
}

function heldByOthers(registries: readonly string[], own: string): Set<string> {
  const others = registries.flatMap(filesIn).filter((file) => basename(file) !== own && isAlive(file));
  return new Set(others.flatMap(pathsIn));
}

function filesIn(registry: string): string[] {
  try {
    return readdirSync(registry).map((name) => join(registry, name));
  } catch {
    return [];
  }
}

function pathsIn(file: string): string[] {
  try {
    const paths: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

function isAlive(file: string): boolean {
  const [pid, start] = basename(file).split("-");
  return start !== undefined && startOf(Number(pid)) === start;
}

/** When the process started, in clock ticks since the machine did: tells apart two that had the same number. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything; the fields after it are numbers, the 20th of them the start.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function removeIfOurs(path: string): void {
  const entry = entryAt(path);
  if (entry === undefined || !isLeftByLitter(entry)) return;
  try {
    rmdirSync(path);
  } catch {
    // Somebody put something there: then it is theirs.
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was removed already.
  }
}
