import { expect, test } from "bun:test";
import { splitLongScript } from "../../../src/tools/shell/long-script.ts";

test("a script of ordinary length stays one argument", () => {
  expect(splitLongScript(["/bin/bash", "-lc", "echo hi"])).toEqual(["/bin/bash", "-lc", "echo hi"]);
});

for (const shell of ["/bin/bash", "/bin/sh"]) {
  test(`${shell} runs a script of 400 kB as it would run a short one`, () => {
    const script = `echo "$# [$1] $0"\nv='${"é🙂".repeat(70_000)}'\necho "\${#v}" | wc -l\nprintf %s "$v" | wc -c\nexit 7`;
    const argv = splitLongScript([shell, "-c", script]);
    const { stdout, exitCode } = Bun.spawnSync(argv, { stderr: "inherit" });
    expect(stdout.toString().split(/\s+/)).toEqual(["0", "[]", shell, "1", String(70_000 * 6), ""]);
    expect(exitCode).toBe(7);
  });
}
