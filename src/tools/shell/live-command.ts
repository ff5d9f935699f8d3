import type { CommandDetail } from "../../protocol/details.ts";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import { DeltaFeed } from "./delta-feed.ts";
import { type Output, OutputBuffer } from "./output.ts";
import type { RunningProcess } from "./process.ts";

/** `command` as people see it, and the policy it runs under. */
export type CommandFacts = {
  command: string;
  cwd: string;
  tty: boolean;
  policy: SandboxPolicy;
  /** Another program has started it for us. */
  isHosted?: boolean;
};

/** Starts the process; it gives what it writes to `onText`. Throws AppError "tool.failed" when it can't be started. */
export type Start = (onText: (text: string) => void) => RunningProcess;

/** A started command with what it has said so far. It may outlive the call that started it. */
export class LiveCommand {
  readonly facts: CommandFacts;
  readonly startedAt = Date.now();
  /** Resolves once the command has ended and its output was read. */
  readonly ended: Promise<void>;
  /** The id under which it can be found after its call has returned. */
  processId: number | undefined;
  readonly #process: RunningProcess;
  readonly #whole = new OutputBuffer();
  readonly #unread = new OutputBuffer();
  readonly #begin = performance.now();
  #exitCode: number | undefined;
  #durationMs: number | undefined;

  /** Throws what `start` throws. `onDelta` gets raw output. */
  constructor(start: Start, facts: CommandFacts, onDelta: (chunk: string) => void) {
    this.facts = facts;
    const feed = new DeltaFeed(onDelta);
    this.#process = start((text) => {
      this.#whole.append(text);
      this.#unread.append(text);
      feed.push(text);
    });
    this.ended = this.#process.ended.then((exitCode) => {
      this.#exitCode = exitCode;
      this.#durationMs = performance.now() - this.#begin;
      feed.flush();
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Undefined while it runs; 128+N when signal N ended it. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  async waitUntil(ms: number, signal: AbortSignal): Promise<"ended" | "running" | "aborted"> {
    if (signal.aborted) return "aborted";
    const { promise, resolve } = Promise.withResolvers<"running" | "aborted">();
    const timer = setTimeout(() => resolve("running"), ms);
    const onAbort = () => resolve("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const first = await Promise.race([this.ended.then(() => "ended" as const), promise]);
      if (first === "running") await this.#process.catchUp?.();
      return this.#exitCode === undefined ? first : "ended";
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** What it wrote since the last time. */
  takeOutput(): Output {
    return this.#unread.take();
  }

  detail(): CommandDetail {
    return {
      kind: "command",
      command: this.facts.command,
      cwd: this.facts.cwd,
      output: this.#whole.read().text,
      durationMs: Math.round(this.#durationMs ?? performance.now() - this.#begin),
      ...(this.#exitCode === undefined ? {} : { exitCode: this.#exitCode }),
      ...(this.processId === undefined ? {} : { processId: this.processId }),
    };
  }

  /** False when nobody would read it. */
  write(text: string): boolean {
    return this.#process.write(text);
  }

  /** The command has read all that it gets. */
  closeInput(): void {
    this.#process.closeInput();
  }

  interrupt(): void {
    this.#process.interrupt();
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  release(): void {
    this.#process.release();
  }
}
