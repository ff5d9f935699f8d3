import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { harnessHome } from "../../../core/harness/harness-choice.ts";
import { toolsOf } from "../../../core/harness/harness-report.ts";
import { loadHarness } from "../../../harness/load.ts";
import { NAME } from "../../../util/package.ts";
import type { Ask } from "./ask.ts";
import { newHarnessFile } from "./new-file.ts";

/** Writes a file of the user's that extends another harness and holds its prompt, ready to be changed. */
export async function newHarness({ words: [id = ""], config, from = "native" }: Ask): Promise<string> {
  const file = newHarnessFile(id, config.home);
  const base = await loadHarness(from, harnessHome(config));
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
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: "wx" });
  return `${file}\nChange it, check it with '${NAME} harness validate ${file}', use it with '${NAME} --harness ${id}'.\n`;
}
