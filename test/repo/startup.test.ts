import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildEmptyProgram } from "../support/empty-program.ts";
import { EXECUTABLE } from "../support/run.ts";

setDefaultTimeout(120_000);

const RUNS = 9;
const isBuilt = existsSync(EXECUTABLE);
if (!isBuilt) process.stderr.write("skipped: start-up test, dist/interpreter is missing (bun run build)\n");

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "startup-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.skipIf(!isBuilt)(
  "--version costs at most twice the CPU of an empty program",
  async () => {
    const empty = await buildEmptyProgram(folder);
    // CPU time, alternating, medians: the machine may be busy with other things.
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      ours.push(cpuMs([EXECUTABLE, "--version"]));
      theirs.push(cpuMs([empty]));
    }
    expect(median(ours) / median(theirs)).toBeLessThanOrEqual(2);
  },
  120_000,
);

function cpuMs(argv: string[]): number {
  const done = Bun.spawnSync(argv, { cwd: folder, stdin: "ignore" });
  expect(done.exitCode).toBe(0);
  return Number(done.resourceUsage.cpuTime.total) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
