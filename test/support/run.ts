import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import type { TempHome } from "./home.ts";

const root = join(import.meta.dir, "..", "..");
export const EXECUTABLE = join(
  root,
  "dist",
  process.platform === "win32" ? "interpreter.exe" : "interpreter",
);

export type RunOptions = {
  stdin?: string | Uint8Array;
  /** Standard input is a pipe into which nothing is written and which is not closed. */
  holdsStdin?: boolean;
  /** Added to the home's environment. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** The name the program is called by, e.g. "apply_patch"; only an executable can tell. */
  argv0?: string;
  /** Called for each line of stdout as it arrives, e.g. to send a signal at the right moment. */
  onLine?: (line: string, kill: (signal: NodeJS.Signals) => void) => void;
};
export type RunResult = {
  /** 128 + N when signal N ended the program. */
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The lines of stdout that are JSON objects, parsed. */
  events: Record<string, unknown>[];
};

/** Runs the program to its end: the executable when it is newer than the sources, else the sources. */
export async function run(
  home: TempHome,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const child = Bun.spawn([...program(), ...args], {
    cwd: options.cwd ?? home.cwd,
    env: { ...home.env, ...options.env },
    stdin: options.holdsStdin ? "pipe" : options.stdin === undefined ? "ignore" : new Blob([options.stdin]),
    stdout: "pipe",
    stderr: "pipe",
    ...(options.argv0 === undefined ? {} : { argv0: options.argv0 }),
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    readLines(child.stdout, (line) => options.onLine?.(line, (signal) => child.kill(signal))),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr, events: stdout.split("\n").flatMap(parseObject) };
}

/** The argv that starts the program under test. */
export function program(): string[] {
  return isFresh(EXECUTABLE) ? [EXECUTABLE] : [process.execPath, join(root, "src", "main.ts")];
}

/** A forgotten build must not make a test of new code pass or fail. */
function isFresh(executable: string): boolean {
  if (!existsSync(executable)) return false;
  const builtAt = statSync(executable).mtimeMs;
  for (const file of new Glob("{src,harnesses,sandbox-profiles}/**/*").scanSync(root)) {
    if (statSync(join(root, file)).mtimeMs > builtAt) return false;
  }
  return true;
}

async function readLines(
  stream: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let seen = 0;
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n", seen); end >= 0; end = text.indexOf("\n", seen)) {
      onLine(text.slice(seen, end));
      seen = end + 1;
    }
  }
  return text + decoder.decode();
}

function parseObject(line: string): Record<string, unknown>[] {
  if (!line.startsWith("{")) return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
