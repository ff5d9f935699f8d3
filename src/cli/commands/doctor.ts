import { overridesFrom, RUN_OPTIONS } from "../../config/flags.ts";
import { runDoctor } from "../../core/local/doctor.ts";
import { checkText } from "../../core/local/doctor-check.ts";
import type { ExitCode, Io } from "../../protocol/program.ts";
import { type OptionSpec, parseArgs } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

const OWN_OPTIONS = [
  { long: "json", summary: "Print one JSON object" },
] as const satisfies readonly OptionSpec[];
const CONFIG_OPTIONS = RUN_OPTIONS.filter(({ long }) =>
  ["config", "profile", "model", "oss", "local-provider"].includes(long),
);

export const DOCTOR_COMMAND = {
  name: `${NAME} doctor`,
  summary: "Check this installation",
  options: [...OWN_OPTIONS, ...CONFIG_OPTIONS],
  positionals: [],
  notes: "Asks nobody but the configured provider and this machine. Exit code 1 when something fails.",
} as const;

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...DOCTOR_COMMAND, options: [...OWN_OPTIONS, ...RUN_OPTIONS] }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(DOCTOR_COMMAND));
    return 0;
  }
  const overrides = overridesFrom(parsed, io.cwd);
  const options = { env: io.env, cwd: io.cwd, overrides, profile: parsed.value("profile") };
  const checks = await runDoctor(options, io.signal);
  const isWell = checks.every(({ verdict }) => verdict !== "fail");
  const text = parsed.has("json")
    ? `${JSON.stringify({ ok: isWell, checks }, null, 2)}\n`
    : checks.map(checkText).join("");
  await io.stdout.write(terminalSafe(text));
  return isWell ? 0 : 1;
}
