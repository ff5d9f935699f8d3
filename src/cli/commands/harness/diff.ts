import { harnessDiff } from "../../../core/harness-report.ts";
import { loadHarness } from "../../../harness/load.ts";
import type { Ask } from "../harness.ts";

export async function diffHarnesses({ words: [a = "", b = ""], config }: Ask): Promise<string> {
  const lines = harnessDiff(await loadHarness(a, config.home), await loadHarness(b, config.home));
  return lines.length === 0 ? "no difference\n" : `${lines.join("\n")}\n`;
}
