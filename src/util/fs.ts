import {
  chmodSync,
  closeSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { chmod, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { shortHex } from "./ids.ts";

/**
 * The text of a file that somebody else has put there. Undefined when there is none, when it is longer than `maxBytes`,
 * and when it is a pipe or a device: reading those might never end.
 */
export async function readOrdinaryText(path: string, maxBytes: number): Promise<string | undefined> {
  return requireOrdinaryText(path, maxBytes).catch(() => undefined);
}

/** The same, but throws with the reason in words. */
export async function requireOrdinaryText(path: string, maxBytes: number): Promise<string> {
  checkOrdinary(await stat(path), maxBytes);
  return await readFile(path, "utf8");
}

/** The same for what a start reads before there is anything else to do. */
export function readOrdinaryTextNow(path: string, maxBytes: number): string | undefined {
  try {
    checkOrdinary(statSync(path), maxBytes);
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function checkOrdinary(facts: Stats, maxBytes: number): void {
  if (!facts.isFile()) throw new Error(facts.isDirectory() ? "it is a folder" : "it is not an ordinary file");
  if (facts.size > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): Error {
  return new Error(`it is larger than ${maxBytes / 2 ** 20} MiB`);
}

/**
 * All bytes of what a person has named on the command line, which may be a pipe: a shell's `<(command)` is one. Throws when
 * there are more than `maxBytes`, so that an input without an end is an error.
 */
export async function readAtMost(path: string, maxBytes: number): Promise<Buffer> {
  await using file = await open(path, "r");
  const chunks: Buffer[] = [];
  for (let left = maxBytes; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(64 * 1024));
    if (bytesRead === 0) return Buffer.concat(chunks);
    left -= bytesRead;
    if (left < 0) throw tooLarge(maxBytes);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/**
 * At most the first `maxBytes` of an ordinary file, however large it is, and its whole size in bytes. Throws when it
 * can't be read.
 */
export async function readStartOf(path: string, maxBytes: number): Promise<{ bytes: Buffer; size: number }> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, maxBytes));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { bytes: buffer.subarray(0, length), size };
}

/** Creates the folder and its missing parents for their owner only (0700), whatever the umask is. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    if (codeOf(cause) === "EEXIST" && statSync(path).isDirectory()) return;
    if (codeOf(cause) !== "ENOENT" || dirname(path) === path) throw cause;
    makePrivateFolder(dirname(path));
    makePrivateFolder(path);
    return;
  }
  // A umask such as 0277 takes away even the owner's bits.
  chmodSync(path, 0o700);
}

/**
 * Replaces the content of a file in one step: a reader sees the old text or the new one. A link is followed. Without
 * `mode` the old file's mode is kept, and a new file is private (0600).
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const mode = options.mode ?? (await modeOf(target)) ?? 0o600;
  const draft = join(dirname(target), `.${basename(target)}.${shortHex(8)}.tmp`);
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, mode);
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}

/** Adds one line to a private file (0600), which is created when missing. `line` has no line end. */
export function appendLine(path: string, line: string): void {
  const file = new AppendFile(path);
  try {
    file.append(`${line}\n`);
  } finally {
    file.close();
  }
}

/** A private file (0600) that only grows, in whole lines. */
export class AppendFile {
  readonly #fd: number;
  #endsMidLine: boolean;

  /** Opens the file, or creates it; its folder must exist. */
  constructor(path: string) {
    this.#fd = openSync(path, "a+", 0o600);
    try {
      const { mode, size } = fstatSync(this.#fd);
      if ((mode & 0o777) !== 0o600) makePrivate(this.#fd);
      this.#endsMidLine = size > 0 && !endsWithNewline(this.#fd, size);
    } catch (cause) {
      closeSync(this.#fd);
      throw cause;
    }
  }

  /**
   * Appends lines, the last one with its line end: all of them or, when it throws, none. They start on a new line even
   * if the file was cut in the middle of one.
   */
  append(lines: string): void {
    const bytes = Buffer.from(this.#endsMidLine ? `\n${lines}` : lines);
    let written = 0;
    try {
      while (written < bytes.length) {
        const count = writeSync(this.#fd, bytes, written);
        if (count === 0) throw new Error("the file accepts no more bytes");
        written += count;
      }
    } catch (cause) {
      this.#takeBack(written);
      throw cause;
    }
    this.#endsMidLine = false;
  }

  #takeBack(count: number): void {
    if (count === 0) return;
    try {
      ftruncateSync(this.#fd, fstatSync(this.#fd).size - count);
    } catch {
      this.#endsMidLine = true;
    }
  }

  /** Resolves when the content has reached the disk. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) =>
      fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(error))),
    );
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** What is at a path; undefined when there is nothing, or nothing that we may see. Costs less than a promise of it. */
export function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The system's name for a failure, such as "ENOENT"; undefined for anything else. */
export function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !("code" in cause)) return undefined;
  return typeof cause.code === "string" ? cause.code : undefined;
}

async function modeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
}

function makePrivate(fd: number): void {
  try {
    fchmodSync(fd, 0o600);
  } catch {
    // The file belongs to someone else, or the file system has no modes: writing still works.
  }
}

function endsWithNewline(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}
