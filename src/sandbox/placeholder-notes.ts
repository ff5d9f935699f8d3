import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { AppError } from "../util/errors.ts";
import { codeOf, makePrivateFolder } from "../util/fs.ts";
import { entryAt } from "./paths.ts";

/**
 * Which placeholders each process holds, a file for each process. So two processes can share a placeholder, and the next
 * one can clear up after a process that was killed.
 */
export class PlaceholderNotes {
  readonly #folders: readonly string[];
  readonly #own: string;

  /**
   * `folders`: no command may write to them. The first one that takes a note gets it, and is created when it is first
   * needed; the others are for a home that is read-only or full.
   */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
    this.#own = `${process.pid}-${startOf(process.pid)}`;
  }

  /** Notes what this process holds now. Throws AppError "sandbox.unavailable" when no folder takes the note. */
  write(paths: readonly string[]): void {
    if (paths.length === 0) {
      for (const folder of this.#folders) removeFile(join(folder, this.#own));
      return;
    }
    const failures: unknown[] = [];
    for (const folder of this.#folders) {
      try {
        writeNote(folder, this.#own, JSON.stringify(paths));
        return;
      } catch (cause) {
        failures.push(cause);
      }
    }
    const where = this.#folders.join(" or ");
    throw new AppError(
      "sandbox.unavailable",
      `the sandbox can't write its notes to ${where} (${codeOf(failures[0])})`,
      {
        hint: "make room there, make one of these folders writable, or use the read-only sandbox",
        cause: failures[0],
      },
    );
  }

  /** What other running processes hold. */
  heldByOthers(): Set<string> {
    const others = this.#files().filter((file) => basename(file) !== this.#own && isAlive(file));
    return new Set(others.flatMap(pathsIn));
  }

  /** Calls `remove` for what processes that are gone held and nobody else holds, and forgets those processes. */
  sweep(remove: (path: string) => void): void {
    const files = this.#files();
    const held = new Set(files.filter(isAlive).flatMap(pathsIn));
    for (const file of files) {
      if (isAlive(file)) continue;
      for (const path of pathsIn(file)) if (!held.has(path)) remove(path);
      removeFile(file);
    }
  }

  #files(): string[] {
    return this.#folders.flatMap(filesIn);
  }
}

function writeNote(folder: string, name: string, note: string): void {
  const entry = entryAt(folder);
  if (entry === undefined) makePrivateFolder(folder);
  else if (!entry.isDirectory() || entry.uid !== process.getuid?.())
    throw new Error(`${folder} belongs to somebody else`);
  writeFileSync(join(folder, name), note, { mode: 0o600 });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
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

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was removed already.
  }
}
