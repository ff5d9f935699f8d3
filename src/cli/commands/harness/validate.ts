import { resolve } from "node:path";
import { harnessHome } from "../../../core/harness/harness-choice.ts";
import { harnessSize, toolsOf } from "../../../core/harness/harness-report.ts";
import { checkToolNames } from "../../../harness/check-names.ts";
import { checkTexts } from "../../../harness/check-texts.ts";
import type { Harness } from "../../../harness/compose.ts";
import { type HarnessHome, harnessText, loadHarness, loadHarnessFile } from "../../../harness/load.ts";
import { readHarnessFile } from "../../../harness/read-file.ts";
import { AppError, toAppError } from "../../../util/errors.ts";
import { VERSION } from "../../../util/package.ts";
import type { Ask } from "./ask.ts";

/** Reads a file as a session would, and fills every text of it once. */
export async function validateHarness({ words: [name = ""], config, io }: Ask): Promise<string> {
  const path = resolve(io.cwd, name);
  const text = await harnessText(path);
  const harness = await loadHarnessFile(path, text, harnessHome(config));
  const context = {
    cwd: io.cwd,
    shell: "sh",
    version: VERSION,
    now: new Date(),
    model: { id: "model", contextWindow: 100_000 },
    flags: {},
  };
  await checkTexts(harness, context).catch((cause: unknown) => {
    throw placed(toAppError(cause), path, text, /\{\{[#^/]?\w+\}\}/);
  });
  await checkNames(path, text, harness, harnessHome(config)).catch((cause: unknown) => {
    throw placed(toAppError(cause), path, text, /[\w-]+$/);
  });
  const { total } = harnessSize(harness);
  return `${path}: ${harness.id} is fine (${toolsOf(harness).length} tools, ~${total} tokens)\n`;
}

async function checkNames(path: string, text: string, harness: Harness, home: HarnessHome): Promise<void> {
  const file = readHarnessFile(path, text);
  const { extends: from } = file;
  // A file that takes the name of what it extends would find itself there.
  const base = from === undefined || from === file.id ? undefined : await loadHarness(from, home);
  checkToolNames(file, harness, base);
}

/** The same error with the place of the part of it that `quoted` finds, when that stands in this very file. */
function placed(error: AppError, path: string, text: string, quoted: RegExp): AppError {
  const [part] = quoted.exec(error.message) ?? [];
  const at = part === undefined ? -1 : text.indexOf(part);
  if (at < 0)
    return new AppError(error.code, `${path}: ${error.message}`, { cause: error, hint: error.hint });
  const before = text.slice(0, at).split("\n");
  const place = `${path}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  return new AppError(error.code, `${place}: ${error.message}`, { cause: error, hint: error.hint });
}
