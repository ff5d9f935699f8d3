import { harnessHome } from "../../../core/harness/harness-choice.ts";
import { firstRequest } from "../../../core/harness/harness-preview.ts";
import { harnessSize, toolsOf } from "../../../core/harness/harness-report.ts";
import { type HarnessHome, loadHarness } from "../../../harness/load.ts";
import { estimateTokens } from "../../../model/tokens.ts";
import type { Ask } from "./ask.ts";

const PROMPT = "(your prompt)";

/** What the harness is and costs; with --request, the request that would be sent first. */
export async function showHarness({ words: [id = ""], config, request, io }: Ask): Promise<string> {
  if (!request) return await summary(id, harnessHome(config));
  const { env, cwd, signal } = io;
  const chosen = { ...config, values: { ...config.values, harness: id } };
  const preview = await firstRequest({ config: chosen, env, cwd, prompt: PROMPT }, signal);
  const sizes = Object.entries(preview.body)
    .map(([key, value]) => [key, estimateTokens(JSON.stringify(value) ?? "")] as const)
    .filter(([, tokens]) => tokens >= 10)
    .map(([key, tokens]) => `${key} ~${tokens} tokens`);
  const headers = Object.entries(preview.headers).map(([name, value]) => `${name}: ${value}\n`);
  return [
    `POST ${preview.url}\n`,
    ...headers,
    `\n${JSON.stringify(preview.body, null, 2)}\n`,
    `\n${sizes.join(", ")}\n`,
  ].join("");
}

async function summary(id: string, home: HarnessHome): Promise<string> {
  const harness = await loadHarness(id, home);
  const { prompt, tools, total } = harnessSize(harness);
  const lines = [
    `${id}${harness.title ? `: ${harness.title}` : ""}`,
    `wires: ${harness.wires.join(", ")}`,
    `size: ~${total} tokens (prompt ~${prompt}, tools ~${tools})`,
    "",
    ...toolsOf(harness).map((tool) => `${tool.name}: ${tool.description}`),
    "",
    harness.prompt.system.trimEnd(),
  ];
  return `${lines.join("\n")}\n`;
}
