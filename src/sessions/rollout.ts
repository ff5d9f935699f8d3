import { dirname } from "node:path";
import type { Emit, TurnEvent } from "../protocol/events.ts";
import { machineFault } from "../util/errors.ts";
import { AppendFile, makePrivateFolder } from "../util/fs.ts";
import type { SessionLock } from "./lock.ts";
import type { Recorder } from "./recorder.ts";
import type { SessionWriter } from "./types.ts";

export type RolloutOptions = {
  path: string;
  recorder: Recorder;
  /** Held by now, or taken when the file is first written. */
  lock: SessionLock | (() => SessionLock);
  /** What is kept in memory while the disk takes nothing. Characters. */
  maxHeldBack?: number;
};

const MAX_HELD_BACK = 16 * 1024 * 1024;

/**
 * Appends a session's events to its file, each with one write to the operating system before the listener returns: ending
 * the process at any moment loses at most the event being written. What the disk refuses is kept and tried again.
 */
export class RolloutWriter implements SessionWriter {
  readonly path: string;
  readonly listener: Emit = (event) => this.#record(event);
  readonly #recorder: Recorder;
  readonly #maxHeldBack: number;
  #lock: SessionLock | (() => SessionLock);
  #file: AppendFile | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #waiting: string[] = [];
  #waitingChars = 0;
  #lost = 0;
  #closed = false;
  #trouble: string | undefined;
  #report: ((message: string) => void) | undefined;

  constructor({ path, recorder, lock, maxHeldBack = MAX_HELD_BACK }: RolloutOptions) {
    this.path = path;
    this.#recorder = recorder;
    this.#lock = lock;
    this.#maxHeldBack = maxHeldBack;
  }

  onTrouble(report: (message: string) => void): void {
    this.#report = report;
    if (this.#trouble !== undefined) report(this.#trouble);
  }

  async flush(): Promise<void> {
    this.#write();
    await this.#syncing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.flush();
    this.#file?.close();
    if (typeof this.#lock !== "function") this.#lock.release();
  }

  #record(event: TurnEvent): void {
    if (this.#closed) return;
    for (const line of this.#recorder.linesFor(event)) this.#hold(line);
    this.#write();
    if (endsTurn(event)) this.#sync();
  }

  #hold(line: string): void {
    if (this.#waitingChars + line.length > this.#maxHeldBack) {
      this.#lost++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingChars += line.length;
  }

  #write(): void {
    if (this.#waiting.length === 0) return;
    try {
      const file = this.#open();
      try {
        file.append(this.#waiting.join(""));
        this.#forget(this.#waiting.length);
      } catch {
        this.#writeOneByOne(file);
      }
      if (this.#lost === 0) return;
      file.append(this.#recorder.gap(this.#lost));
      this.#lost = 0;
    } catch (cause) {
      this.#complain(cause);
    }
  }

  /** Gets as many whole lines as possible into what space there is. */
  #writeOneByOne(file: AppendFile): void {
    let written = 0;
    try {
      for (const line of this.#waiting) {
        file.append(line);
        written++;
      }
    } finally {
      this.#forget(written);
    }
  }

  #forget(lines: number): void {
    for (const line of this.#waiting.splice(0, lines)) this.#waitingChars -= line.length;
  }

  #open(): AppendFile {
    if (this.#file !== undefined) return this.#file;
    makePrivateFolder(dirname(this.path));
    if (typeof this.#lock === "function") this.#lock = this.#lock();
    this.#file = new AppendFile(this.path);
    return this.#file;
  }

  #sync(): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#syncing = this.#syncing.then(() => file.sync()).catch((cause) => this.#complain(cause));
  }

  #complain(cause: unknown): void {
    if (this.#trouble !== undefined) return;
    const reason = machineFault(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    this.#trouble = `the session record ${this.path} can't be written: ${reason}; work goes on, and what is missing is added when there is room again`;
    this.#report?.(this.#trouble);
  }
}

const TURN_ENDS: ReadonlySet<TurnEvent["type"]> = new Set([
  "turn.completed",
  "turn.failed",
  "turn.aborted",
  "budget.reached",
]);

function endsTurn(event: TurnEvent): boolean {
  return TURN_ENDS.has(event.type);
}
