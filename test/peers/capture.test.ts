import { expect, setDefaultTimeout, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { recipeNames } from "../../src/cli/commands/harness/capture/run-program.ts";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

// Real programs may take a minute to start, and may look for their makers' servers: they are run only when that is asked for.
setDefaultTimeout(300_000);

const path = process.env["PATH"] ?? "";
const isAsked = process.env["INTERPRETER_PEERS"] === "1";
const reasonFor = (name: string) =>
  isAsked
    ? Bun.which(name, { PATH: path })
      ? undefined
      : `${name} is not installed`
    : "INTERPRETER_PEERS is not 1";

for (const name of recipeNames()) {
  const reason = reasonFor(name);
  test.skipIf(reason !== undefined)(
    `${name}: the captured harness says what the program says${reason ? ` (skipped: ${reason})` : ""}`,
    async () => {
      await using home = await tempHome();
      const { stdout, stderr, exitCode } = await run(home, ["harness", "capture", "peer", "--", name]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect((await stat(join(home.path, "harnesses/peer.yaml"))).mode & 0o777).toBe(0o600);
      expect(stdout.match(/^(?:different|left out).*$/gm)).toBeNull();
      expect(stdout).toMatch(/^(\d+) of \1 facts of the first request are the same/m);
    },
  );
}
