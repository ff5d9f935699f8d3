import type { SandboxPolicy } from "../../protocol/policy.ts";
import type { MemoryKey, RunContext } from "../types.ts";
import type { LiveCommand } from "./live-command.ts";
import { readable } from "./model-text.ts";

/** The one shell of a session that stays open between calls. `processes` ends it with the session. */
const KEPT: MemoryKey<{ shell?: { command: LiveCommand; policy: SandboxPolicy } }> = {
  name: "keptShell",
  init: () => ({}),
};

/** The open shell, or a new one when there is none, when it has ended, or when policy has changed since it began. */
export async function keptShell(
  ctx: RunContext,
  start: () => Promise<LiveCommand | { problem: string }>,
): Promise<KeptShell | { problem: string }> {
  const kept = ctx.memory.get(KEPT);
  const { shell } = kept;
  const isFit = shell?.command.exitCode === undefined && Bun.deepEquals(shell?.policy, ctx.policy);
  if (shell && isFit) return new KeptShell(shell.command, false);
  if (shell) await shell.command.kill();
  const command = await start();
  if ("problem" in command) return command;
  kept.shell = { command, policy: ctx.policy };
  const fresh = new KeptShell(command, true);
  await fresh.settle(FIRST_PROMPT_MS, ctx.signal);
  return fresh;
}

const FIRST_PROMPT_MS = 3000;
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

  /** Waits until the shell asks for the next command, at most so long. */
  async settle(ms: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + ms;
    for (let before = ""; !signal.aborted && !this.hasEnded; before = this.#screen) {
      const left = end - performance.now();
      if (left <= 0) break;
      await this.#command.waitUntil(Math.min(LOOK_MS, left), signal);
      this.#screen += this.#command.takeOutput().text;
      if (this.#screen === before && asksForMore(this.#screen)) break;
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

function asksForMore(screen: string): boolean {
  return /[$#] $/.test(readable(screen.slice(-500)));
}
