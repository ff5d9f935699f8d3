import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

test("the demo says that its model is a recording, also on a machine without a sandbox", async () => {
  await using home = await tempHome();
  const tmp = join(home.path, "tmp");
  await mkdir(tmp);
  const args = ["exec", "--demo", "--ephemeral", "--sandbox", "danger-full-access"];
  const { exitCode, stdout, stderr } = await run(home, args, { env: { TMPDIR: tmp } });
  const [repository = ""] = await readdir(tmp);
  const tests = Bun.spawnSync(["sh", "test.sh"], { cwd: join(tmp, repository) });
  expect({
    exitCode,
    announced: stderr.startsWith(
      `The model of this demo is a recording; the repository and the tools are real:\n${join(tmp, repository)}\n`,
    ),
    sandbox: /^sandbox: (.*)$/m.exec(stderr)?.[1],
    repaired: tests.exitCode === 0,
    admitted: stdout.includes("no model was asked"),
  }).toEqual({
    exitCode: 0,
    announced: true,
    sandbox: "danger-full-access",
    repaired: true,
    admitted: true,
  });
});
