import type { SpawnSpec } from "../../protocol/policy.ts";
import { AppError } from "../../util/errors.ts";
import { endTree, signalGroup } from "../../util/kill.ts";

export type RunningProcess = {
  readonly pid: number;
  /** The exit code (128+N after signal N), once the process itself has ended and what it wrote has been read. */
  readonly ended: Promise<number>;
  /** False when nobody would read it. */
  write(text: string): boolean;
  /** Ends standard input. */
  closeInput(): void;
  interrupt(): void;
  /** Reads what it has written by now, where that does not come by itself. */
  catchUp?(): Promise<void>;
  /** Ends the process, its group and its descendants. */
  kill(): Promise<void>;
  /** Lets go of the pipes that background children still hold; until then they are read so that nobody blocks. */
  release(): void;
};

export type ProcessOptions = { tty: boolean; hasInput?: boolean };

/**
 * Starts a command in a process group of its own, on pipes, without standard input unless asked, or on a terminal. Output arrives
 * as text: bytes that are not UTF-8 become U+FFFD. Throws AppError "tool.failed" when it can't be started; `spec.release`
 * is called in any case, at the latest when the command has ended.
 */
export function startProcess(
  spec: SpawnSpec,
  { tty, hasInput = false }: ProcessOptions,
  onText: (text: string) => void,
): RunningProcess {
  try {
    const started = tty ? startOnTerminal(spec, onText) : startOnPipes(spec, hasInput, onText);
    void started.ended.finally(() => spec.release());
    return started;
  } catch (cause) {
    spec.release();
    throw cannotStart(spec, cause);
  }
}

function startOnPipes(spec: SpawnSpec, hasInput: boolean, onText: (text: string) => void): RunningProcess {
  const child = Bun.spawn(spec.argv, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe", ...spec.fds],
  });
  const { stdin } = child;
  let isOpen = typeof stdin === "object";
  const activity = new Activity();
  const readers = [child.stdout, child.stderr].map((stream) => stream.getReader());
  const read = Promise.all(readers.map((reader) => pump(reader, activity.report(onText))));
  return {
    pid: child.pid,
    ended: child.exited.then(async (code) => {
      await activity.quiet(read);
      return code;
    }),
    write: (text) => {
      if (!isOpen || typeof stdin !== "object" || child.exitCode !== null) return false;
      stdin.write(text);
      void stdin.flush();
      return true;
    },
    closeInput: () => {
      if (isOpen && typeof stdin === "object") void stdin.end();
      isOpen = false;
    },
    interrupt: () => void signalGroup(child.pid, "SIGINT"),
    kill: () => endTree(child.pid),
    release: () => {
      for (const reader of readers) void reader.cancel().catch(() => {});
    },
  };
}

function startOnTerminal(spec: SpawnSpec, onText: (text: string) => void): RunningProcess {
  const activity = new Activity();
  const decoder = textDecoder();
  const closed = Promise.withResolvers<void>();
  const report = activity.report(onText);
  const child = Bun.spawn(spec.argv, {
    cwd: spec.cwd,
    env: spec.env,
    stdio: [null, null, null, ...spec.fds],
    terminal: {
      ...TERMINAL_SIZE,
      data: (_terminal, bytes) => report(decoder.decode(bytes, { stream: true })),
      exit: () => closed.resolve(),
    },
  });
  return {
    pid: child.pid,
    ended: child.exited.then(async (code) => {
      await activity.quiet(closed.promise);
      report(decoder.decode());
      child.terminal?.close();
      return code;
    }),
    write: (text) => {
      if (!child.terminal || child.terminal.closed) return false;
      child.terminal.write(text);
      return true;
    },
    closeInput: () => void child.terminal?.write("\u0004"),
    // The terminal's line discipline turns it into SIGINT for whatever is in the foreground.
    interrupt: () => void child.terminal?.write("\u0003"),
    kill: () => endTree(child.pid),
    release: () => child.terminal?.close(),
  };
}

const TERMINAL_SIZE = { cols: 120, rows: 40 };

type ByteReader = { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> };

async function pump(reader: ByteReader, onText: (text: string) => void): Promise<void> {
  const decoder = textDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    onText(decoder.decode(value, { stream: true }));
  }
  onText(decoder.decode());
}

function textDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

/** How long output must be silent, after the process has ended, to count as read; and the longest wait for that. */
const QUIET_MS = 50;
const LONGEST_DRAIN_MS = 2000;

/** Knows when output came last: a child in the background may hold a pipe open long after the command is over. */
class Activity {
  #count = 0;
  #isOver = false;

  report(onText: (text: string) => void): (text: string) => void {
    return (text) => {
      this.#count++;
      if (text !== "" && !this.#isOver) onText(text);
    };
  }

  /** Resolves when everything was read, or when nothing comes any more. Later output is read and dropped. */
  async quiet(everything: Promise<unknown>): Promise<void> {
    const isRead = everything.then(() => true as const);
    for (let waited = 0; waited < LONGEST_DRAIN_MS; waited += QUIET_MS) {
      const before = this.#count;
      if (await Promise.race([isRead, Bun.sleep(QUIET_MS)])) break;
      // On a busy machine the timer may win over data that is there already: one more look at the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#count === before) break;
    }
    this.#isOver = true;
  }
}

function cannotStart(spec: SpawnSpec, cause: unknown): AppError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const program = spec.argv[0] ?? "";
  if (code === "E2BIG")
    return new AppError("tool.failed", "the command line is too long for this system", {
      hint: "write the script to a file and run that file",
      cause,
    });
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AppError("tool.failed", `${program} could not be started: ${reason.slice(0, 300)}`, { cause });
}
