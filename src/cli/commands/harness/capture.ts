import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { harnessHome } from "../../../core/harness/harness-choice.ts";
import type { Harness } from "../../../harness/compose.ts";
import { loadHarness, loadHarnessFile } from "../../../harness/load.ts";
import type { HarnessFile } from "../../../harness/schema.ts";
import { AppError } from "../../../util/errors.ts";
import { makePrivateFolder } from "../../../util/fs.ts";
import { localDate } from "../../../util/local-time.ts";
import { NAME } from "../../../util/package.ts";
import type { Ask } from "./ask.ts";
import { bindSeenTools } from "./capture/bind.ts";
import { type Comparison, compareWith, type Difference } from "./capture/check.ts";
import { composeHarness, FILLED_IN } from "./capture/compose.ts";
import { makePlace } from "./capture/place.ts";
import { ProbeScript } from "./capture/probes.ts";
import { recipeFor, recipeNames, runProgram } from "./capture/run-program.ts";
import { readRequest } from "./capture/seen-request.ts";
import { startProbeServer } from "./capture/server.ts";
import type { Recorded } from "./capture/types.ts";
import { newHarnessFile } from "./new-file.ts";

const USUAL_MODEL = "probe-model";

/**
 * Runs the user's own program against a model server of ours, and writes a harness with what it says to a model. The file
 * holds the texts of the program's makers: it stays in the user's folder, readable by them alone.
 */
export async function captureHarness({ words, config, from, io }: Ask): Promise<string> {
  const [id = "", ...command] = words;
  const file = newHarnessFile(id, config.home);
  const recipe = recipeFor(command);
  if (!recipe && !command.some((word) => word.includes("{prompt}")))
    throw new AppError("config", `there is no recipe for running ${command[0]}`, {
      hint: `there are recipes for ${recipeNames().join(", ")}; for any other, give the whole command, as in '-- env OPENAI_BASE_URL={baseUrl} mycli -p {prompt}'`,
    });
  const base = await baseOf(from ?? recipe?.like, harnessHome(config));
  const model = config.values.model ?? recipe?.model ?? USUAL_MODEL;
  await using place = await makePlace(model, io.env["PATH"] ?? "");
  const bind = (request: Recorded) => bindSeenTools(readRequest(request).tools, base);
  const script = new ProbeScript(place, bind);
  await using server = startProbeServer([model], (request) => script.next(request));
  const program = { command, recipe, place, origin: server.origin, env: io.env };
  const output = await runProgram(program, io.signal);
  const [first] = server.requests;
  if (!first)
    throw new AppError("config", `${command[0]} made no request with tools to the server`, {
      hint: output === "" ? "check how it is told which server to use" : `it wrote:\n${output}`,
    });
  const tools = bind(first);
  const captured = { id, first, tools, results: script.results, base, place, now: new Date() };
  const written = { file, source: command[0] ?? "", home: config.home };
  const harness = composeHarness(captured);
  await write(harness, written);
  const at = { id, home: config.home, place };
  const comparison = await withoutAdditions(harness, written, first, () =>
    compareWith(first, at, io.signal),
  ).catch(async (cause) => {
    await rm(file, { force: true });
    throw cause;
  });
  const left = readRequest(first).tools.filter(({ name }) => !tools.some(({ seen }) => seen.name === name));
  return report({ file, id, comparison, leftOut: left.map(({ name }) => name) });
}

/** A recipe may name a harness that this version does not have. */
async function baseOf(
  id: string | undefined,
  home: ReturnType<typeof harnessHome>,
): Promise<Harness | undefined> {
  if (id === undefined) return undefined;
  return await loadHarness(id, home).catch(() => undefined);
}

type Written = { file: string; source: string; home: string };

async function write(harness: HarnessFile, { file, source, home }: Written): Promise<void> {
  const { stringify } = await import("yaml");
  const lines = [
    `# Captured from ${source} on ${localDate(new Date())} by '${NAME} harness capture'.`,
    "# Private: the texts are those of its makers. Don't publish this file, and don't commit it.",
    stringify(harness, { lineWidth: 0 }),
  ];
  const text = lines.join("\n");
  await loadHarnessFile(file, text, home);
  makePrivateFolder(join(home, "harnesses"));
  await writeFile(file, text, { mode: 0o600 });
}

/** What our request has beyond that of the program is taken out of it by the file. */
async function withoutAdditions(
  harness: HarnessFile,
  written: Written,
  first: Recorded,
  compare: () => Promise<Comparison>,
): Promise<Comparison> {
  const before = await compare();
  const added = Object.keys(before.body).filter(
    (key) => !Object.hasOwn(first.body, key) && !FILLED_IN.has(key),
  );
  if (added.length === 0) return before;
  const body = { ...harness.request?.body, ...Object.fromEntries(added.map((key) => [key, null])) };
  await write({ ...harness, request: { ...harness.request, body } }, written);
  return await compare();
}

function report(done: { file: string; id: string; comparison: Comparison; leftOut: string[] }): string {
  const { facts, differences } = done.comparison;
  const lines = [
    done.file,
    `${facts - differences.length} of ${facts} facts of the first request are the same as the program's.`,
    ...differences.flatMap(shown),
    ...(done.leftOut.length === 0
      ? []
      : [`left out, because nothing here would run them: ${done.leftOut.join(", ")}`]),
    `The file is private: it holds the texts of the program's makers. Use it with '${NAME} --harness ${done.id}'.`,
  ];
  return `${lines.join("\n")}\n`;
}

const SHOWN_CHARS = 80;

/** What differs, and the first place where it does. */
function shown({ what, wanted, found }: Difference): string[] {
  const [theirs, own] = [JSON.stringify(wanted) ?? "nothing", JSON.stringify(found) ?? "nothing"];
  let at = 0;
  while (at < Math.min(theirs.length, own.length) && theirs[at] === own[at]) at += 1;
  const from = Math.max(0, at - SHOWN_CHARS / 4);
  const part = (text: string) => `${from > 0 ? "..." : ""}${text.slice(from, from + SHOWN_CHARS)}`;
  return [`different: ${what}`, `  the program: ${part(theirs)}`, `  here: ${part(own)}`];
}
