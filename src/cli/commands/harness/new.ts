import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { harnessHome } from "../../../core/harness-choice.ts";
import { toolsOf } from "../../../core/harness-report.ts";
import { loadHarness } from "../../../harness/load.ts";
import { AppError } from "../../../util/errors.ts";
import { NAME } from "../../../util/package.ts";
import type { Ask } from "./ask.ts";

/** Writes a file of the user's that extends another harness and holds its prompt, ready to be changed. */
export async function newHarness({ words: [id = ""], config, from = "native" }: Ask): Promise<string> {
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(id))
    throw new AppError("usage", `wanted an id of letters, digits, ., _ and -, found "${id}"`);
  const base = await loadHarness(from, harnessHome(config));
  const folder = join(config.home, "harnesses");
  const file = join(folder, `${id}.yaml`);
  if (existsSync(file))
    throw new AppError("config", `${file} exists already`, { hint: "choose another id, or edit that file" });
  const { stringify } = await import("yaml");
  const { system, blocks } = base.prompt;
  const prompt = stringify({ prompt: { system: blocks ? [...blocks] : system } }, { lineWidth: 0 });
  const tools = toolsOf(base)
    .map(({ name }) => name)
    .join(", ");
  const text = [
    `# Everything that is not said here comes from ${from}. docs/harnesses.md explains every key.`,
    `id: ${id}`,
    `extends: ${from}`,
    `# Tools of ${from}: ${tools}`,
    "# dropTools: []",
    prompt,
  ].join("\n");
  await mkdir(folder, { recursive: true });
  await writeFile(file, text, { flag: "wx" });
  return `${file}\nChange it, check it with '${NAME} harness validate ${file}', use it with '${NAME} --harness ${id}'.\n`;
}
