import { resolve } from "node:path";
import { harnessHome } from "../../../core/harness-choice.ts";
import { harnessSize, toolsOf } from "../../../core/harness-report.ts";
import { checkTexts } from "../../../harness/check-texts.ts";
import { harnessText, loadHarnessFile } from "../../../harness/load.ts";
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
    throw placed(toAppError(cause), path, text);
  });
  const { total } = harnessSize(harness);
  return `${path}: ${harness.id} is fine (${toolsOf(harness).length} tools, ~${total} tokens)\n`;
}

/** The same error with the place of the tag that it names, when that stands in this very file. */
function placed(error: AppError, path: string, text: string): AppError {
  const [tag] = /\{\{[#^/]?\w+\}\}/.exec(error.message) ?? [];
  const at = tag === undefined ? -1 : text.indexOf(tag);
  if (at < 0)
    return new AppError(error.code, `${path}: ${error.message}`, { cause: error, hint: error.hint });
  const before = text.slice(0, at).split("\n");
  const place = `${path}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  return new AppError(error.code, `${place}: ${error.message}`, { cause: error, hint: error.hint });
}
