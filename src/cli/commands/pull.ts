import { overridesFrom, RUN_OPTIONS } from "../../config/flags.ts";
import { loadConfig } from "../../config/load.ts";
import { startPull } from "../../core/local/pull.ts";
import { type PullDisplay, plainPullDisplay } from "../../core/local/pull-progress.ts";
import type { ExitCode, Io } from "../../protocol/program.ts";
import { type OptionSpec, parseArgs, usageError } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

const OWN_OPTIONS = [
  { long: "update", summary: "Look for a newer version of a model that is installed" },
] as const satisfies readonly OptionSpec[];

export const PULL_COMMAND = {
  name: `${NAME} pull`,
  summary: "Download a model into Ollama",
  options: [...OWN_OPTIONS, ...RUN_OPTIONS.filter(({ long }) => ["config", "profile"].includes(long))],
  positionals: [{ name: "MODEL", summary: "Its name and tag, e.g. qwen3:8b" }],
  notes: "To resume a download that was stopped, run the command again.",
} as const;

/** As a shell tells the end by Ctrl-C, and as the bar in a terminal does. */
const STOPPED = 130;

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...PULL_COMMAND, options: [...OWN_OPTIONS, ...RUN_OPTIONS] }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(PULL_COMMAND));
    return 0;
  }
  const [name] = parsed.positionals;
  if (name === undefined) throw usageError(PULL_COMMAND, "wanted the name of a model");
  const overrides = overridesFrom(parsed, io.cwd);
  const config = await loadConfig({ env: io.env, cwd: io.cwd, overrides, profile: parsed.value("profile") });
  const isUpdate = parsed.has("update");
  const steps = await startPull({ name, config, env: io.env, isUpdate }, io.signal);
  if (steps === undefined) {
    await io.stdout.write(terminalSafe(`${name} is installed already; --update looks for a newer one\n`));
    return 0;
  }
  const display = io.stdout.isTty
    ? await terminalDisplay(name)
    : plainPullDisplay(
        (text) => void io.stdout.write(terminalSafe(text)),
        () => performance.now(),
      );
  let isDone = false;
  try {
    for await (const step of steps) display.show(step);
    isDone = true;
  } catch (cause) {
    if (!io.signal.aborted) throw cause;
    await io.stderr.write("stopped; what was downloaded is kept, and the same command resumes it\n");
    return STOPPED;
  } finally {
    display.finish(isDone);
  }
  return 0;
}

async function terminalDisplay(name: string): Promise<PullDisplay> {
  const { clackPullDisplay } = await import("../pull-display.ts");
  return clackPullDisplay(name);
}
