export type ProbeTerminal = AsyncDisposable & {
  readonly pid: number;
  /** When the program took the place of the shell, as performance.now() has it. */
  readonly startedAt: number;
  /** Everything that was written. */
  readonly raw: string;
  readonly bytes: number;
  /** How often something arrived. */
  readonly writes: number;
  type(text: string): void;
  /** Resolves when the text written from now on, without control sequences, matches; rejects after a minute and a half. */
  until(pattern: RegExp): Promise<void>;
};

const SIZE = { cols: 100, rows: 30 };
const PATIENCE_MS = 90_000;
const BEGIN = "[[begin]]";
/** What terminals are asked at a start, and what one of 16 million colours answers. */
const ANSWERS: readonly (readonly [question: string, answer: string])[] = [
  ["\u001b[6n", "\u001b[1;1R"],
  ["\u001b[c", "\u001b[?62;22c"],
  ["\u001b[?u", "\u001b[?0u"],
  ["\u001b]10;?", "\u001b]10;rgb:d8d8/dcdc/e4e4\u001b\\"],
  ["\u001b]11;?", "\u001b]11;rgb:1616/1818/1d1d\u001b\\"],
];

/** Starts a program in a terminal that does not echo, so that what comes back is the program's own. */
export async function startProbe(
  argv: readonly string[],
  { env, cwd }: { env: Readonly<Record<string, string>>; cwd: string },
): Promise<ProbeTerminal> {
  const decoder = new TextDecoder();
  const watchers = new Set<() => void>();
  const seen = { raw: "", bytes: 0, writes: 0, startedAt: 0 };
  const child = Bun.spawn(["sh", "-c", `stty -echo -icanon; printf '${BEGIN}'; exec "$@"`, "sh", ...argv], {
    cwd,
    env,
    terminal: {
      ...SIZE,
      data(terminal, bytes) {
        const text = decoder.decode(bytes, { stream: true });
        seen.raw += text;
        seen.bytes += bytes.length;
        seen.writes += 1;
        for (const [question, answer] of ANSWERS) if (text.includes(question)) terminal.write(answer);
        for (const watch of watchers) watch();
      },
    },
  });
  const until = (pattern: RegExp, from: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const watch = () => {
      if (!pattern.test(Bun.stripANSI(seen.raw.slice(Math.max(from, seen.raw.length - 20_000))))) return;
      watchers.delete(watch);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      watchers.delete(watch);
      reject(new Error(`${argv[0]} never wrote ${pattern}:\n${seen.raw.slice(-2000)}`));
    }, PATIENCE_MS);
    watchers.add(watch);
    return promise;
  };
  await until(/\[\[begin\]\]/, 0);
  seen.startedAt = performance.now();
  return {
    pid: child.pid,
    startedAt: seen.startedAt,
    get raw() {
      return seen.raw;
    },
    get bytes() {
      return seen.bytes;
    },
    get writes() {
      return seen.writes;
    },
    type: (text) => void child.terminal?.write(text),
    until: (pattern) => until(pattern, seen.raw.length),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      child.terminal?.close();
    },
  };
}
