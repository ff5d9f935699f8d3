import { mkdirSync, rmdirSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../util/errors.ts";
import { codeOf } from "../util/fs.ts";
import { entryAt } from "./paths.ts";
import { PlaceholderNotes } from "./placeholder-notes.ts";

/**
 * `kept`: a placeholder is there until `release`. `occupied`: something real is there after all. What is in neither list
 * can't be made by a command either.
 */
export type Held = { kept: string[]; occupied: string[]; release(): void };

// Nobody else makes folders that their owner can't write to, so the mode says that a folder is ours.
const MODE = 0o555;
const ANY_WRITE_BIT = 0o222;

/**
 * Empty folders in the place of protected names that are missing: something has to be mounted there, and a mount needs a
 * folder underneath. They exist on the disk while a command runs.
 */
export class Placeholders {
  readonly #notes: PlaceholderNotes;
  readonly #holders = new Map<string, number>();
  #hasSwept = false;

  /** `noteFolders`: see `PlaceholderNotes`. */
  constructor(noteFolders: readonly string[]) {
    this.#notes = new PlaceholderNotes(noteFolders);
  }

  /** Makes the folders that are missing. Throws AppError "sandbox.unavailable" when a command could make one and we can't. */
  hold(paths: readonly string[]): Held {
    if (paths.length === 0) return { kept: [], occupied: [], release: () => {} };
    if (!this.#hasSwept) {
      this.#notes.sweep(removeIfOurs);
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
    const isShared = (this.#holders.get(path) ?? 0) > 1 || this.#notes.heldByOthers().has(path);
    return isShared ? "kept" : "occupied";
  }

  /** Lets go of `paths`; those of them that are `made` are removed when nobody else holds them. */
  #release(paths: readonly string[], made: readonly string[]): void {
    const last = this.#forget(paths);
    if (last.length === 0) return;
    this.#record();
    const elsewhere = this.#notes.heldByOthers();
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
    this.#notes.write([...this.#holders.keys()]);
  }
}

/** May this be a placeholder that a running process made? */
export function isPlaceholder(entry: Stats): boolean {
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

function removeIfOurs(path: string): void {
  const entry = entryAt(path);
  if (entry === undefined || !isPlaceholder(entry)) return;
  try {
    rmdirSync(path);
  } catch {
    // Somebody put something there: then it is theirs.
  }
}
