/** Every program in the executable has this shape, so that a test can run it in-process. */
export type Main = (argv: readonly string[], io: Io) => Promise<ExitCode>;

export type Io = {
  stdin: Input;
  stdout: Sink;
  stderr: Sink;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Aborted by SIGINT, SIGTERM, or when the reader of stdout went away; `signal.reason` is a `Stop`. */
  signal: AbortSignal;
};
export type Input = { isTty: boolean; stream(): ReadableStream<Uint8Array> };
/**
 * `write` resolves when the text was handed to the operating system; it never rejects for a reader that went away. After
 * `abandon` nothing is waited for that was not handed over by then, because nobody reads it.
 */
export type Sink = { isTty: boolean; columns: number; write(text: string): Promise<void>; abandon?(): void };
/** Why the program has to stop. */
export type Stop = { kind: "signal"; signal: "SIGINT" | "SIGTERM" | "SIGHUP" } | { kind: "closed_stdout" };
export type ExitCode = number;
