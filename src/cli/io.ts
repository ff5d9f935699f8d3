import { fstatSync, readFileSync, statSync } from "node:fs";
import type { Io, Sink, Stop } from "../protocol/program.ts";
import { codeOf } from "../util/fs.ts";
import { environmentWithHome } from "./env.ts";

/** The real outside world of a program. */
export type Console = {
  io: Io;
  /** Resolves when all output was handed over; names the failure when someone wanted it and could not have it. */
  drained(): Promise<string | undefined>;
};

/** Opens the standard streams, and turns signals and a reader that went away into an abort of `io.signal`. */
export function openConsole(): Console {
  const controller = new AbortController();
  const stop = (reason: Stop): void => controller.abort(reason);
  const stdout = openSink(1, () => stop({ kind: "closed_stdout" }));
  const stderr = openSink(2, () => {});
  abortOnSignals(controller);
  let env: Io["env"] | undefined;
  const io: Io = {
    stdin: {
      get isTty() {
        return isTerminal(0);
      },
      // Opening a stream takes a thread, and there is nothing to read in most runs of a script.
      stream: () => (isNullDevice(0) ? new Blob().stream() : Bun.stdin.stream()),
    },
    stdout: stdout.sink,
    stderr: stderr.sink,
    get env() {
      env ??= environmentWithHome(process.env);
      return env;
    },
    cwd: process.cwd(),
    signal: controller.signal,
  };
  return {
    io,
    async drained() {
      await stderr.drained();
      return await stdout.drained();
    },
  };
}

type OpenSink = { sink: Sink; drained(): Promise<string | undefined> };

/** `process.stdout` would do the same, but loading Node's streams doubles the start-up time of a small program. */
function openSink(fd: 1 | 2, onClosed: () => void): OpenSink {
  const writer = (fd === 1 ? Bun.stdout : Bun.stderr).writer();
  let isClosed = false;
  let failure: string | undefined;
  let last: Promise<void> = Promise.resolve();
  const flush = async (text: string): Promise<void> => {
    if (isClosed) return;
    try {
      writer.write(text);
      await writer.flush();
    } catch (cause) {
      if (isClosed) return;
      isClosed = true;
      // A reader that has seen enough goes away: nothing is wrong then.
      if (codeOf(cause) !== "EPIPE") failure = codeOf(cause) ?? String(cause);
      onClosed();
    }
  };
  return {
    sink: {
      get isTty() {
        return isTerminal(fd);
      },
      get columns() {
        return columnsOf(fd);
      },
      write(text) {
        last = flush(text);
        return last;
      },
      abandon() {
        isClosed = true;
        last = Promise.resolve();
      },
    },
    drained: () => last.then(() => failure),
  };
}

/** Asking `node:tty` costs more than an empty program; pipes, files and /dev/null are told apart without it. */
function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    if (process.platform !== "win32" && !fstatSync(fd).isCharacterDevice()) return false;
    if (isNullDevice(fd)) return false;
    const { isatty } = process.getBuiltinModule("node:tty");
    return isatty(fd);
  } catch {
    return false;
  }
}

function isNullDevice(fd: 0 | 1 | 2): boolean {
  if (process.platform === "win32") return false;
  try {
    const stream = fstatSync(fd);
    return stream.isCharacterDevice() && stream.rdev === statSync("/dev/null").rdev;
  } catch {
    return false;
  }
}

function columnsOf(fd: 1 | 2): number {
  const stream = isTerminal(fd) ? (fd === 1 ? process.stdout : process.stderr) : undefined;
  return stream?.columns || Number(process.env["COLUMNS"]) || 80;
}

const SIGNALS = [
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const;

/** So soon after the first, a second signal is the same wish: npm, for one, sends on what the terminal sends to all. */
const ECHO_MS = 500;

/** The first signal asks for an orderly end. A later one ends the process at once. */
function abortOnSignals(controller: AbortController): void {
  const ignored = ignoredSignals();
  let firstAt: number | undefined;
  for (const [signal, number] of SIGNALS) {
    // A program under nohup, or in the background of a script, was told not to care.
    if ((ignored >> (number - 1)) & 1) continue;
    process.on(signal, () => {
      if (firstAt !== undefined && performance.now() - firstAt < ECHO_MS) return;
      if (controller.signal.aborted) process.exit(128 + number);
      firstAt = performance.now();
      const reason: Stop = { kind: "signal", signal };
      controller.abort(reason);
    });
  }
}

/** Signals 1 to 16 that the parent process had set to be ignored, as a bit mask; none where the system does not tell. */
function ignoredSignals(): number {
  if (process.platform !== "linux") return 0;
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    // Sixteen hexadecimal digits after the name; the last four are the signals that we look at.
    const at = status.indexOf("SigIgn:");
    const digits = at < 0 ? "" : status.slice(at, status.indexOf("\n", at)).slice(-4);
    return Number.parseInt(digits, 16) || 0;
  } catch {
    return 0;
  }
}
