import type { Io, Main } from "../../protocol/program.ts";
import { commit } from "../../tools/patch/commit.ts";
import { parsePatch } from "../../tools/patch/parse.ts";
import { planPatch } from "../../tools/patch/plan.ts";
import { codeOf } from "../../util/fs.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

const USAGE = "Usage: apply_patch 'PATCH'\n       echo 'PATCH' | apply_patch\n";

/** Applies one patch, given as the only argument or on standard input, below the current folder. */
export const main: Main = async (argv, io) => {
  if (argv[0] === "--help" || argv[0] === "-h") {
    await io.stdout.write(USAGE);
    return 0;
  }
  if (argv.length > 1) return fail(io, `Error: apply_patch accepts exactly one argument.\n${USAGE}`, 2);
  const input = argv[0] === undefined ? await readInput(io) : { patch: argv[0] };
  if ("problem" in input) return fail(io, `Error: standard input can't be read: ${input.problem}\n`);
  const { patch } = input;
  if (argv.length === 0 && patch === "") return fail(io, USAGE, 2);

  const parsed = parsePatch(patch);
  if ("problem" in parsed) {
    const { line, message } = parsed.problem;
    return fail(io, `Invalid patch${line === undefined ? "" : ` hunk on line ${line}`}: ${message}\n`);
  }
  if (parsed.hunks.length === 0) return fail(io, "No files were modified.\n");
  const plan = await planPatch(parsed.hunks, io.cwd);
  if ("problem" in plan) {
    const text = plan.deleting === undefined ? plan.problem : `Failed to delete file ${plan.deleting}`;
    return fail(io, `${text}\n`);
  }
  const { problem } = await commit(plan.operations);
  if (problem !== undefined) return fail(io, `${problem}\n`);
  await io.stdout.write(`Success. Updated the following files:\n${plan.report.join("\n")}\n`);
  return 0;
};

async function readInput({ stdin }: Io): Promise<{ patch: string } | { problem: string }> {
  if (stdin.isTty) return { patch: "" };
  try {
    return { patch: await new Response(stdin.stream()).text() };
  } catch (cause) {
    return { problem: codeOf(cause) ?? String(cause) };
  }
}

async function fail(io: Io, text: string, exitCode = 1): Promise<number> {
  // A patch quotes what somebody else wrote; other programs get it as it is.
  await io.stderr.write(io.stderr.isTty ? terminalSafe(text) : text);
  return exitCode;
}
