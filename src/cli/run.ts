import type { ExitCode, Io } from "../protocol/program.ts";
import { NAME, VERSION } from "../util/package.ts";
import { reportError } from "../util/report.ts";
import { logCrash } from "./crash.ts";
import type { Choice } from "./dispatch.ts";
import { type Console, openConsole } from "./io.ts";
import type { ProgramName } from "./names.ts";
import { PROGRAMS, type Program } from "./programs.ts";

/** Runs the chosen program to its end and ends the process. */
export async function run(choice: Choice): Promise<void> {
  await runToEnd((io) => runChoice(choice, io));
}

/** Gives `main` the real outside world, and ends the process after it: nothing that is left over keeps it alive. */
export async function runToEnd(main: (io: Io) => Promise<ExitCode>): Promise<void> {
  const console = openConsole();
  compileHotCodeLater();
  const crash = (cause: unknown): void => {
    logCrash(cause, process.env);
    void reportError(cause, console.io.stderr).finally(() => process.exit(1));
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  await endProcess(console, await main(console.io));
}

/**
 * The executable starts with a just-in-time compiler that holds back, because most of what a start runs, it runs once.
 * After these seconds what is still busy is worth compiling, but only that: the compiler's threads cost a
 * program that mostly waits more than they save it.
 */
function compileHotCodeLater(): void {
  setTimeout(() => Bun.unsafe.setJITPolicy(LATER_JIT), START_UP_MS).unref();
}

const START_UP_MS = 3000;
/** How many times longer than usual code stays interpreted from then on. */
const LATER_JIT = 8;

/** The exit code of the chosen program; whatever it throws is reported on stderr. */
export async function runChoice(choice: Choice, io: Io): Promise<ExitCode> {
  try {
    return await start(choice, io);
  } catch (cause) {
    logCrash(cause, io.env);
    return await reportError(cause, io.stderr);
  }
}

async function start(choice: Choice, io: Io): Promise<ExitCode> {
  switch (choice.kind) {
    case "version":
      await io.stdout.write(`${NAME} ${VERSION}\n`);
      return 0;
    case "mistyped":
      throw (await import("./root.ts")).mistyped(choice.word, choice.meant);
    case "options_first":
      return await start((await import("./root.ts")).chooseBehindOptions(choice.argv), io);
    case "program": {
      const { main } = await load(choice.program);
      return await main(choice.argv, io);
    }
  }
}

async function load(name: ProgramName): Promise<Program> {
  if (name === "help") return await import("./commands/help.ts");
  if (name === "completion") return await import("./commands/completion.ts");
  return (await PROGRAMS[name]?.load()) ?? (await import("./commands/not-built.ts")).notBuilt(name);
}

/** Output first, then the end: by the signal that asked for it, so that a caller sees what happened, or with the code. */
async function endProcess({ io, drained }: Console, code: ExitCode): Promise<void> {
  const reason: unknown = io.signal.aborted ? io.signal.reason : undefined;
  const signal = signalOf(reason);
  // Someone who wants the program gone does not wait for a reader that has stopped reading.
  const failure = await (signal === undefined ? drained() : Promise.race([drained(), Bun.sleep(1000)]));
  if (typeof failure === "string")
    await io.stderr.write(`error: writing to standard output failed (${failure})\n`);
  const exitCode = typeof failure === "string" && code === 0 ? 1 : code;
  if (signal !== "SIGTERM" && signal !== "SIGHUP") process.exit(exitCode);
  const numbered = 128 + (signal === "SIGTERM" ? 15 : 1);
  if (process.platform !== "win32") {
    // Handlers of the exit event end left-over children; a signal would skip them.
    process.emit("exit", numbered);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Only the first process of a container survives its own signal.
    await Bun.sleep(100);
  }
  process.exit(numbered);
}

function signalOf(reason: unknown): string | undefined {
  if (typeof reason !== "object" || reason === null || !("kind" in reason) || !("signal" in reason))
    return undefined;
  return reason.kind === "signal" && typeof reason.signal === "string" ? reason.signal : undefined;
}
