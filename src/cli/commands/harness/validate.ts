import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { harnessHome } from "../../../core/harness-choice.ts";
import { harnessSize, toolsOf } from "../../../core/harness-report.ts";
import { loadHarnessFile } from "../../../harness/load.ts";
import { renderSpeech } from "../../../harness/speech.ts";
import { AppError } from "../../../util/errors.ts";
import { VERSION } from "../../../util/package.ts";
import type { Ask } from "./ask.ts";

/** Reads a file as a session would, and fills every text of it once. */
export async function validateHarness({ words: [name = ""], config, io }: Ask): Promise<string> {
  const path = resolve(io.cwd, name);
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new AppError("usage", `${path} could not be read`, { cause, hint: "check the path" });
  });
  const harness = await loadHarnessFile(path, text, harnessHome(config));
  await renderSpeech(harness, {
    cwd: io.cwd,
    shell: "sh",
    version: VERSION,
    now: new Date(),
    model: { id: "model", contextWindow: 100_000 },
    flags: {},
  });
  const { total } = harnessSize(harness);
  return `${path}: ${harness.id} is fine (${toolsOf(harness).length} tools, ~${total} tokens)\n`;
}
