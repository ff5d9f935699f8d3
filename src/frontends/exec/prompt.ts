import { fstatSync } from "node:fs";
import type { Input, Sink } from "../../protocol/program.ts";
import { AppError } from "../../util/errors.ts";
import { codeOf } from "../../util/fs.ts";

export type PromptSource = {
  argument?: string;
  /** Add what is piped in to a prompt that was given as an argument. */
  addsPipedInput: boolean;
  stdin: Input;
  stderr: Sink;
  signal: AbortSignal;
};

/** More than any model reads. Input that never ends would fill the memory. */
const MOST_BYTES = 16 * 2 ** 20;

/** The prompt from the argument, standard input, or both. Throws AppError "config" when there is none. */
export async function readPrompt(source: PromptSource): Promise<string> {
  const { argument, stdin, stderr, signal } = source;
  if (argument !== undefined && argument !== "-") {
    const piped = stdin.isTty || !source.addsPipedInput ? "" : await readExtra(stdin, stderr, signal);
    if (argument.trim() === "" && piped.trim() === "") throw noPrompt();
    return piped === ""
      ? argument
      : `${argument}\n\n<stdin>\n${piped}${piped.endsWith("\n") ? "" : "\n"}</stdin>`;
  }
  if (stdin.isTty && argument === undefined) throw noPrompt();
  if (argument === undefined) await stderr.write("Reading prompt from stdin...\n");
  const { bytes } = await readAll(stdin, undefined, signal);
  const text = decode(bytes);
  if (text.trim() === "") throw noPrompt();
  return text;
}

function noPrompt(): AppError {
  return new AppError("config", "No prompt provided via stdin.", {
    hint: `give the prompt as an argument, as in: interpreter exec "fix the failing test"
it stands before -i, which takes every word up to the next option`,
  });
}

async function readExtra(stdin: Input, stderr: Sink, signal: AbortSignal): Promise<string> {
  await stderr.write("Reading additional input from stdin...\n");
  const { bytes, gaveUp } = await readAll(stdin, silenceMs(), signal);
  if (gaveUp) {
    await stderr.write(
      "Nothing came through stdin, so the run continues without it (close it with </dev/null).\n",
    );
  }
  return decode(bytes);
}

/**
 * How long to wait for the first byte of input that nobody asked for. A shell's pipe (a FIFO) usually has a slow program
 * at its other end; a socket is what a program gets from a parent that opened stdin and may never write to it.
 */
function silenceMs(): number {
  try {
    return fstatSync(0).isFIFO() ? 10_000 : 1_500;
  } catch {
    return 1_500;
  }
}

/** Reads to the end; gives up when no first byte arrives within `firstByteMs`. Throws AppError "config", "aborted". */
async function readAll(
  stdin: Input,
  firstByteMs: number | undefined,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; gaveUp: boolean }> {
  try {
    return await readStream(stdin.stream(), firstByteMs, signal);
  } catch (cause) {
    const code = codeOf(cause);
    if (cause instanceof AppError || code === undefined) throw cause;
    const why = code === "EISDIR" ? "it is a folder" : code;
    throw new AppError("config", `Failed to read prompt from stdin: ${why}`, {
      hint: "pipe text into it, or give the prompt as an argument",
      cause,
    });
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  firstByteMs: number | undefined,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; gaveUp: boolean }> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const stop = new Promise<"silent" | "aborted">((resolve) => {
    if (firstByteMs !== undefined) timer = setTimeout(() => resolve("silent"), firstByteMs);
    onAbort = () => resolve("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), stop]);
      if (next === "aborted") throw new AppError("aborted", "interrupted");
      if (next === "silent") {
        if (chunks.length > 0) continue;
        return { bytes: new Uint8Array(), gaveUp: true };
      }
      if (next.done) return { bytes: Buffer.concat(chunks), gaveUp: false };
      clearTimeout(timer);
      chunks.push(next.value);
      size += next.value.length;
      if (size > MOST_BYTES) throw tooLarge();
    }
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener("abort", onAbort);
    reader.cancel().catch(() => undefined);
  }
}

function tooLarge(): AppError {
  return new AppError(
    "config",
    `Failed to read prompt from stdin: it is larger than ${MOST_BYTES / 2 ** 20} MB`,
    {
      hint: "write it to a file, and name the file in the prompt",
    },
  );
}

function decode(bytes: Uint8Array): string {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) throw undecodable("it is UTF-32");
  if (a === 0xff && b === 0xfe) return decodeAs("utf-16le", bytes);
  if (a === 0xfe && b === 0xff) return decodeAs("utf-16be", bytes);
  return decodeAs("utf-8", bytes);
}

function decodeAs(encoding: "utf-8" | "utf-16le" | "utf-16be", bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw undecodable(`it is not valid ${encoding.toUpperCase()}`);
  }
}

function undecodable(why: string): AppError {
  return new AppError("config", `Failed to read prompt from stdin: ${why}`, {
    hint: "pipe UTF-8 text, or name a file in the prompt instead",
  });
}
