import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
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
  readonly #registry: string;
  readonly #own: string;
  readonly #holders = new Map<string, number>();
  #hasSwept = false;

  /** `registry` is a folder that no command may write to; it is created when first needed. */
  constructor(registry: string) {
    this.#registry = registry;
    this.#own = `${process.pid}-${startOf(process.pid)}`;
  }

  /** Makes the folders that are missing. Throws AppError "sandbox.unavailable" when a command could make one and we can't. */
  hold(paths: readonly string[]): Held {
    if (paths.length === 0) return { kept: [], occupied: [], release: () => {} };
    if (!this.#hasSwept) {
      makePrivateFolder(this.#registry);
      sweep(this.#registry);
      this.#hasSwept = true;
    }
    // Written down first: a process that is killed in between leaves a note too many, never a folder.
    for (const path of paths) this.#holders.set(path, (this.#holders.get(path) ?? 0) + 1);
    this.#record();
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
    const isShared = (this.#holders.get(path) ?? 0) > 1 || heldByOthers(this.#registry, this.#own).has(path);
    return isShared ? "kept" : "occupied";
  }

  /** Lets go of `paths`; those of them that are `made` are removed when nobody else holds them. */
  #release(paths: readonly string[], made: readonly string[]): void {
    const last = paths.filter((path) => {
      const left = (this.#holders.get(path) ?? 1) - 1;
      if (left > 0) this.#holders.set(path, left);
      else this.#holders.delete(path);
      return left <= 0;
    });
    if (last.length === 0) return;
    this.#record();
    const elsewhere = heldByOthers(this.#registry, this.#own);
    for (const path of last) if (made.includes(path) && !elsewhere.has(path)) removeIfOurs(path);
  }

  #record(): void {
    const file = join(this.#registry, this.#own);
    if (this.#holders.size === 0) {
      removeFile(file);
      return;
    }
    const notes = JSON.stringify([...this.#holders.keys()]);
    try {
      writeFileSync(file, notes, { mode: 0o600 });
    } catch (cause) {
      if (codeOf(cause) !== "ENOENT") throw cause;
      makePrivateFolder(this.#registry);
      writeFileSync(file, notes, { mode: 0o600 });
    }
  }
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
function sweep(registry: string): void {
  const held = heldByOthers(registry, "");
  for (const file of filesIn(registry)) {
    if (isAlive(file)) continue;
    for (const path of pathsIn(join(registry, file))) if (!held.has(path)) removeIfOurs(path);
    removeFile(join(registry, file));
  }
}

function heldByOthers(registry: string, own: string): Set<string> {
  const others = filesIn(registry).filter((file) => file !== own && isAlive(file));
  return new Set(others.flatMap((file) => pathsIn(join(registry, file))));
}

function filesIn(registry: string): string[] {
  try {
    return readdirSync(registry);
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
  const [pid, start] = file.split("-");
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
