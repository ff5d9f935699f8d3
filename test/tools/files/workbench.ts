import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { textOf } from "../../../src/protocol/items.ts";
import { createToolMemory } from "../../../src/tools/memory.ts";
import type { PreparedCall, RunContext, ToolResult, ToolSpec } from "../../../src/tools/types.ts";

/** A folder with files, and what a tool needs to work in it. Removed at the end of an `await using` block. */
export type Workbench = AsyncDisposable & {
  /** A real path. */
  cwd: string;
  ctx: RunContext;
  path(name: string): string;
  put(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  text(name: string): Promise<string>;
  /** Every file below the folder; a link is shown as `-> target`. */
  files(): Promise<Record<string, string>>;
  /** What `prepare` said must be ready. */
  ready(tool: ToolSpec, input: unknown): Promise<PreparedCall>;
  call(tool: ToolSpec, input: unknown, change?: Partial<RunContext>): Promise<ToolResult>;
  /** The text of a call's result. */
  ask(tool: ToolSpec, input: unknown, change?: Partial<RunContext>): Promise<string>;
};

export async function workbench(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Workbench> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "tools-")));
  const ctx: RunContext = {
    callId: "call-1",
    sessionId: "session-1",
    cwd,
    memory: createToolMemory(),
    env: { PATH: "", HOME: cwd },
    images: true,
    outputLimit: { unit: "tokens", limit: 10_000 },
    signal: new AbortController().signal,
    policy: { mode: "off" },
    sandbox: {
      id: "none",
      available: async () => ({ ok: true }),
      wrap: async (command) => ({ ...command, fds: [], release() {} }),
      denied: () => false,
    },
    item: { delta() {}, close() {} },
  };
  const bench: Workbench = {
    cwd,
    ctx,
    path: (name) => join(cwd, name),
    async put(more) {
      for (const [name, content] of Object.entries(more)) {
        await mkdir(dirname(join(cwd, name)), { recursive: true });
        await writeFile(join(cwd, name), content);
      }
    },
    text: (name) => readFile(join(cwd, name), "utf8"),
    files: () => filesBelow(cwd),
    async ready(tool, input) {
      const prepared = await tool.prepare(tool.schema.parse(input), ctx);
      if ("refused" in prepared) throw new Error(`refused: ${textOf(prepared.refused.content)}`);
      return prepared.ready;
    },
    async call(tool, input, change = {}) {
      const prepared = await tool.prepare(tool.schema.parse(input), { ...ctx, ...change });
      return "refused" in prepared ? prepared.refused : prepared.ready.run({ ...ctx, ...change });
    },
    ask: async (tool, input, change) => textOf((await bench.call(tool, input, change)).content),
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  };
  await bench.put(files);
  return bench;
}

async function filesBelow(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(root, { recursive: true })).sort()) {
    const stats = await lstat(join(root, name));
    if (stats.isSymbolicLink()) found[name] = `-> ${await readlink(join(root, name))}`;
    else if (stats.isFile()) found[name] = await readFile(join(root, name), "utf8");
  }
  return found;
}
