import { harnessHome } from "../../../core/harness/harness-choice.ts";
import { harnessSize } from "../../../core/harness/harness-report.ts";
import { type HarnessHome, harnessIds, loadHarness } from "../../../harness/load.ts";
import { toAppError } from "../../../util/errors.ts";
import type { Ask } from "./ask.ts";

/** One line each; a file that is wrong is listed with what is wrong. */
export async function listHarnesses({ config }: Ask): Promise<string> {
  const home = harnessHome(config);
  const rows = await Promise.all((await harnessIds(home)).map((id) => rowOf(id, home)));
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

async function rowOf(id: string, home: HarnessHome): Promise<string[]> {
  try {
    const harness = await loadHarness(id, home);
    return [
      id,
      harness.wires.join(","),
      `~${harnessSize(harness).total} tokens`,
      harness.title.replaceAll(/\s+/g, " "),
    ];
  } catch (cause) {
    return [id, "", "", `can't be used: ${toAppError(cause).message}`];
  }
}
