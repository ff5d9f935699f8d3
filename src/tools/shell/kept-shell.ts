import type { SandboxPolicy } from "../../protocol/policy.ts";
import type { MemoryKey, RunContext, ToolMemory } from "../types.ts";
import type { LiveCommand } from "./live-command.ts";

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
  #screen = "";

  constructor(command: LiveCommand, isNew: boolean) {
    this.#command = command;
    this.isNew = isNew;
  }

  get hasEnded(): boolean {
    return this.#command.exitCode !== undefined;
  }

  /** False when nobody reads any more. */
  type(keys: string): boolean {
    return keys === "" || (!this.hasEnded && this.#command.write(keys));
  }

  /** Waits until the screen looks as if all was done, at most so long. */
  async settle(ms: number, signal: AbortSignal, isDone: (screen: string) => boolean): Promise<void> {
    const end = performance.now() + ms;
    for (let before = ""; !signal.aborted && !this.hasEnded; before = this.#screen) {
      const left = end - performance.now();
      if (left <= 0) break;
      await this.#command.waitUntil(Math.min(LOOK_MS, left), signal);
      this.#screen += this.#command.takeOutput().text;
      if (this.#screen === before && isDone(this.#screen)) break;
    }
    this.#screen += this.#command.takeOutput().text;
  }

  /** What has come since the last time. */
  takeScreen(): string {
    const screen = this.#screen;
    this.#screen = "";
    return screen;
  }
}
