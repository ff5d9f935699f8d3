import type { SandboxPolicy } from "../../protocol/policy.ts";
import type { MemoryKey, RunContext, ToolMemory } from "../types.ts";
import type { LiveCommand } from "./live-command.ts";
import { OutputBuffer } from "./output.ts";

type Start = (ctx: RunContext) => Promise<LiveCommand | { problem: string }>;
type Kept = { command: LiveCommand; start: Start; policy: SandboxPolicy };

/** The one shell of a session that stays open between calls. `processes` ends it with the session. */
const KEPT: MemoryKey<{ shell?: Kept }> = {
  name: "keptShell",
  init: () => ({}),
};

/** The open shell, or a new one when there is none, when it has ended, or when policy has changed since it began. */
export async function keptShell(ctx: RunContext, start: Start): Promise<KeptShell | { problem: string }> {
  const kept = ctx.memory.get(KEPT);
  const { shell } = kept;
  const isFit = shell?.start === start && Bun.deepEquals(shell.policy, ctx.policy);
  if (shell && isFit && shell.command.exitCode === undefined) return new KeptShell(shell.command, false);
  await endKeptShell(ctx.memory);
  const command = await start(ctx);
  if ("problem" in command) return command;
  kept.shell = { command, start, policy: ctx.policy };
  return new KeptShell(command, true);
}

export async function endKeptShell(memory: ToolMemory): Promise<void> {
  const kept = memory.get(KEPT);
  await kept.shell?.command.kill();
  delete kept.shell;
}

/** What comes within this time after the prompt still belongs to the same command. */
const LOOK_MS = 40;

export class KeptShell {
  readonly isNew: boolean;
  readonly #command: LiveCommand;
  #screen = new OutputBuffer();
  #written = 0;
  /** The end of what was written, which shows whether all is done. */
  #end = "";
  /** How much was written when something was last typed: as long as nothing came since, the shell has not even seen it. */
  #typedAt = -1;

  constructor(command: LiveCommand, isNew: boolean) {
    this.#command = command;
    this.isNew = isNew;
  }

  get hasEnded(): boolean {
    return this.#command.exitCode !== undefined;
  }

  /** False when nobody reads any more. */
  type(keys: string): boolean {
    if (keys === "") return true;
    this.#typedAt = this.#written;
    return !this.hasEnded && this.#command.write(keys);
  }

  /** Waits until nothing more comes and the end of the screen looks as if all was done, or until that time is over. */
  async settle(ms: number, signal: AbortSignal, isDone: (end: string) => boolean): Promise<void> {
    const until = performance.now() + ms;
    while (!signal.aborted && !this.hasEnded) {
      const left = until - performance.now();
      if (left <= 0) break;
      await this.#command.waitUntil(Math.min(LOOK_MS, left), signal);
      const isQuiet = !this.#take();
      if (isQuiet && this.#written !== this.#typedAt && isDone(this.#end)) break;
    }
    this.#take();
  }

  /** What has come since the last time. */
  takeScreen(): string {
    return this.#screen.take().text;
  }

  /** False when there was nothing new. */
  #take(): boolean {
    const { text } = this.#command.takeOutput();
    this.#screen.append(text);
    this.#written += text.length;
    this.#end = (this.#end + text).slice(-END_CHARS);
    return text !== "";
  }
}

const END_CHARS = 4000;
