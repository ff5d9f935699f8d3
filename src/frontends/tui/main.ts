import type { Io, Main } from "../../protocol/program.ts";
import { AppError } from "../../util/errors.ts";
import { reportError } from "../../util/report.ts";
import { App } from "./app.ts";
import { readRequest } from "./options.ts";
import { isPlain } from "./plain/is-plain.ts";

/** `interpreter`: a conversation in the terminal. Exit code 0; 1 when it could not begin; 2 for a wrong command line. */
export const main: Main = (argv, io) => start("new", argv, io);

/** `interpreter resume`. */
export const resume: Main = (argv, io) => start("resume", argv, io);

/** `interpreter fork`. */
export const fork: Main = (argv, io) => start("fork", argv, io);

async function start(kind: "new" | "resume" | "fork", argv: readonly string[], io: Io): Promise<number> {
  try {
    const request = readRequest(kind, argv);
    if ("help" in request) {
      await io.stdout.write(request.help);
      return 0;
    }
    requireTerminal(io);
    if (isPlain(request.options.has("plain"), io.env)) {
      const { PlainApp } = await import("./plain/plain-app.ts");
      return await new PlainApp(request, io).run();
    }
    return await new App(request, io).run();
  } catch (cause) {
    return await reportError(cause, io.stderr);
  }
}

function requireTerminal({ stdin, stdout }: Io): void {
  if (stdin.isTty && stdout.isTty) return;
  const missing = stdin.isTty ? "standard output" : "standard input";
  throw new AppError("config", `${missing} is not a terminal`, {
    hint: 'use `interpreter exec "your task"` in scripts and pipelines',
  });
}
