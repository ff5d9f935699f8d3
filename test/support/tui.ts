import type { TempHome } from "./home.ts";
import { program } from "./run.ts";
import { FakeTerminal } from "./terminal.ts";

export type Tui = AsyncDisposable & {
  /** Sends keys or bytes, in one write. */
  type(text: string): void;
  /** Resolves when the screen, as text, fulfils the condition; rejects after a while, with the screen. */
  until(condition: string | RegExp | ((screen: string) => boolean)): Promise<void>;
  readonly screen: string;
  /** Everything that was ever on the main screen. */
  readonly history: string;
  readonly terminal: FakeTerminal;
  /** Everything that was written, with its control sequences. */
  readonly raw: string;
  signal(name: NodeJS.Signals): void;
  /** The exit code as the shell tells it, and the terminal's settings after the end. */
  readonly ended: Promise<{ exitCode: number; settings: string }>;
};

export type TuiOptions = {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Words before the program, such as a tracer and its options. */
  under?: readonly string[];
};

const PATIENCE_MS = 20_000;

/** Starts the program in a terminal of its own, from a shell that tells afterwards how the terminal was left. */
export function startTui(home: TempHome, args: readonly string[], options: TuiOptions = {}): Tui {
  const { columns = 80, rows = 24 } = options;
  const terminal = new FakeTerminal(columns, rows);
  const decoder = new TextDecoder();
  const watchers = new Set<() => void>();
  const script = 'trap : INT; "$@"; code=$?; stty -a; printf "[[exit %s]]" "$code"';
  const child = Bun.spawn(["sh", "-c", script, "sh", ...(options.under ?? []), ...program(), ...args], {
    cwd: options.cwd ?? home.cwd,
    env: { ...home.env, TERM: "xterm-256color", ...options.env },
    terminal: {
      cols: columns,
      rows,
      data: (_terminal, bytes) => {
        terminal.write(decoder.decode(bytes, { stream: true }));
        for (const watch of watchers) watch();
      },
    },
  });
  const until = (isTrue: () => boolean, what: string): Promise<void> => {
    if (isTrue()) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const watch = () => {
      if (!isTrue()) return;
      watchers.delete(watch);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      watchers.delete(watch);
      reject(new Error(`never seen: ${what}\n${terminal.screen.join("\n")}`));
    }, PATIENCE_MS);
    watchers.add(watch);
    return promise;
  };
  const ended = child.exited.then(() => {
    const end = /\[\[exit (\d+)\]\]/.exec(terminal.written)?.[1];
    return { exitCode: Number(end ?? "-1"), settings: terminal.history.join(" ") };
  });
  return {
    type: (text) => void child.terminal?.write(text),
    until: (condition) => until(() => holds(condition, terminal.screen.join("\n")), String(condition)),
    get screen() {
      return terminal.screen.join("\n");
    },
    get history() {
      return terminal.history.join("\n");
    },
    get raw() {
      return terminal.written;
    },
    terminal,
    signal(name) {
      for (const pid of childrenOf(child.pid)) process.kill(pid, name);
    },
    ended,
    async [Symbol.asyncDispose]() {
      for (const pid of childrenOf(child.pid)) process.kill(pid, "SIGKILL");
      child.kill("SIGKILL");
      await child.exited;
      child.terminal?.close();
    },
  };
}

function holds(condition: string | RegExp | ((screen: string) => boolean), screen: string): boolean {
  if (typeof condition === "string") return screen.includes(condition);
  return condition instanceof RegExp ? condition.test(screen) : condition(screen);
}

/** The processes that a shell has started, by the system's own list. */
function childrenOf(pid: number): number[] {
  const listed = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(pid)]).stdout.toString();
  return listed.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Number(line)]));
}
