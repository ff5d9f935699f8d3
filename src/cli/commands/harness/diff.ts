import { harnessHome } from "../../../core/harness/harness-choice.ts";
import { harnessDiff } from "../../../core/harness/harness-report.ts";
import { loadHarness } from "../../../harness/load.ts";
import type { Ask } from "./ask.ts";

export async function diffHarnesses({ words: [a = "", b = ""], config }: Ask): Promise<string> {
  const lines = harnessDiff(
    await loadHarness(a, harnessHome(config)),
    await loadHarness(b, harnessHome(config)),
  );
  return lines.length === 0 ? "no difference\n" : `${lines.join("\n")}\n`;
}
