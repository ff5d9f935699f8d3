import { z } from "zod";
import { settles } from "./settle.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

const Headers = z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[^\r\n]*$/));

export type HelperOptions = {
  /** A script for the shell, or a program and its arguments. */
  command: string | readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
};

/**
 * The headers that a program of the user's prints: lines `Name: value`, or a JSON object. Rejects with the reason in words,
 * which never hold what the program printed.
 */
export async function helperHeaders({ command, cwd, env }: HelperOptions): Promise<Record<string, string>> {
  const argv = typeof command === "string" ? ["/bin/sh", "-c", command] : [...command];
  const child = start(argv, cwd, env);
  const printed = Promise.all([new Response(child.stdout).text(), child.exited]);
  const isInTime = await settles(printed, TIMEOUT_MS).catch(() => true);
  if (!isInTime) {
    child.kill("SIGKILL");
    throw failed(`took longer than ${TIMEOUT_MS / 1000} s`);
  }
  const [text, exitCode] = await printed;
  if (exitCode !== 0) throw failed(`ended with code ${exitCode}`);
  if (Buffer.byteLength(text) > MAX_BYTES) throw failed(`printed more than ${MAX_BYTES / 1024} KiB`);
  const { data } = Headers.safeParse(readHeaders(text));
  if (data === undefined) throw failed("printed something that is not a header");
  return data;
}

function start(argv: string[], cwd: string, env: HelperOptions["env"]) {
  try {
    return Bun.spawn(argv, { cwd, env: { ...env }, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  } catch (cause) {
    throw failed(`could not be started: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function readHeaders(text: string): unknown {
  if (text.trimStart().startsWith("{")) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => /^([^:]+):\s*(.*?)\s*$/.exec(line)?.slice(1) ?? [line, undefined]);
  return Object.fromEntries(pairs);
}

function failed(what: string): Error {
  return new Error(`the program of http_headers_helper should print headers but ${what}`);
}
