import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandDetail, ToolDetail } from "../../../src/protocol/details.ts";
import type { ItemStatus } from "../../../src/protocol/events.ts";
import { textOf } from "../../../src/protocol/items.ts";
import type { Sandbox } from "../../../src/protocol/policy.ts";
import { createToolMemory } from "../../../src/tools/memory.ts";
import type { ItemHandle, RunContext, ToolResult, ToolSpec } from "../../../src/tools/types.ts";

/** Everything a command tool needs, with a sandbox that lets everything through and items that remember. */
export type Bench = AsyncDisposable & {
  cwd: string;
  ctx: RunContext;
  /** Ends what a session's end would end. */
  endSession(): Promise<void>;
  /** Prepares and runs a call, with an item of its own unless `change` names one. */
  call(tool: ToolSpec, input: unknown, change?: Partial<RunContext>): Promise<ToolResult>;
};

export class RecordedItem implements ItemHandle {
  readonly deltas: string[] = [];
  readonly closed = Promise.withResolvers<{ detail: ToolDetail; status: ItemStatus }>();
  isClosed = false;

  delta(chunk: string): void {
    this.deltas.push(chunk);
    for (const waiter of this.#waiting.splice(0)) waiter();
  }

  close(detail: ToolDetail, status: ItemStatus): void {
    this.isClosed = true;
    this.closed.resolve({ detail, status });
  }

  readonly #waiting: (() => void)[] = [];

  /** Resolves with all output so far once it holds `text`. */
  async saw(text: string): Promise<string> {
    while (!this.deltas.join("").includes(text)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.deltas.join("");
  }
}

export const openSandbox: Sandbox = {
  id: "none",
  available: async () => ({ ok: true }),
  wrap: async (command) => ({ ...command, fds: [], release: () => {} }),
  denied: () => false,
};

export function bench(change: Partial<RunContext> = {}): Bench {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "command-")));
  const memory = createToolMemory();
  const { PATH = "/usr/bin:/bin" } = process.env;
  const ctx: RunContext = {
    callId: "call-1",
    sessionId: "session-1",
    cwd,
    memory,
    // A home without profile files: login shells start fast and the same everywhere.
    env: { PATH, HOME: cwd, SHELL: "/bin/bash" },
    images: false,
    outputLimit: { unit: "tokens", limit: 10_000 },
    signal: new AbortController().signal,
    policy: { mode: "off" },
    sandbox: openSandbox,
    item: new RecordedItem(),
    ...change,
  };
  return {
    cwd,
    ctx,
    endSession: () => memory.dispose(),
    async call(tool, input, more = {}) {
      const runCtx = { ...ctx, item: new RecordedItem(), ...more };
      const prepared = await tool.prepare(input, runCtx);
      return "refused" in prepared ? prepared.refused : prepared.ready.run(runCtx);
    },
    async [Symbol.asyncDispose]() {
      await memory.dispose();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

export function textIn(result: ToolResult): string {
  return textOf(result.content);
}

/** The model's text after the `Output:` line. */
export function outputIn(result: ToolResult): string {
  return textIn(result).split("\nOutput:\n").slice(1).join("\nOutput:\n");
}

export function commandIn(detail: ToolDetail): CommandDetail {
  if (detail.kind !== "command") throw new Error(`expected a command, found ${detail.kind}`);
  return detail;
}

export function sessionIdIn(result: ToolResult): number {
  const found = textIn(result).match(/Process running with session ID (\d+)/);
  if (!found) throw new Error(`no session id in: ${textIn(result)}`);
  return Number(found[1]);
}

/** A process that has ended but was not yet collected by its parent counts as gone. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") {
    try {
      return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  }
  const { stdout } = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)]);
  return /^[^Z\s]/.test(stdout.toString());
}

/** Resolves when the process is gone; the test's own time limit is the bound. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await Bun.sleep(10);
}
