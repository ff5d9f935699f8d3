import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { harnessSize } from "../../src/core/harness/harness-report.ts";
import { loadHarness } from "../../src/harness/load.ts";
import { chooseHarness } from "../../src/harness/route.ts";
import { tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { calls, says } from "../support/ollama-server/types.ts";
import { program } from "../support/run.ts";

setDefaultTimeout(120_000);

const PAGE = join(import.meta.dir, "../../docs/local-models.md");
const page = await readFile(PAGE, "utf8");

/** The rows of the table of model families. */
const rows =
  page
    .slice(page.indexOf("| Family in Ollama"))
    .split("\n\n")[0]
    ?.split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim())) ?? [];

const OLLAMA = { id: "ollama", label: "Ollama", wire: "chat", baseUrl: "http://127.0.0.1:11434/v1" } as const;

test("the table of model families names the harness that is chosen, and a window of which it leaves half", async () => {
  expect(rows.length).toBeGreaterThan(8);
  for (const [, family = "", , tools = "", harness = "", least = ""] of rows) {
    const names = [...family.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    expect(names).not.toEqual([]);
    for (const model of names) {
      const chosen = tools.startsWith("yes")
        ? (await chooseHarness({ chosen: undefined, provider: OLLAMA, model, home: [] })).id
        : "minimal";
      expect([model, chosen]).toEqual([model, harness]);
    }
    const { total } = harnessSize(await loadHarness(harness, []));
    expect(2 * total).toBeLessThanOrEqual(Number(least.replace(",", "")));
  }
});

test("the first steps of the page end with a test that passes", async () => {
  const [, script = ""] = /<!-- example -->\s+```sh\n([\s\S]*?)```/.exec(page) ?? [];
  expect(script).toContain("interpreter exec");
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "qwen3:8b" }],
    turns: [
      calls("run_shell_command", { command: "sh test.sh; cat add.sh", is_background: false }),
      calls("run_shell_command", { command: "sed -i.bak 's/ - / + /' add.sh", is_background: false }),
      says("It subtracted; now it adds."),
    ],
  });
  const call = program()
    .map((word) => `'${word}'`)
    .join(" ");
  await chmod(await home.write("bin/interpreter", `#!/bin/sh\nexec ${call} "$@"\n`), 0o755);
  const child = Bun.spawn(["sh", "-e", "-c", script], {
    cwd: home.cwd,
    env: { ...home.env, PATH: `${join(home.cwd, "bin")}:${home.env["PATH"]}`, OLLAMA_HOST: server.host },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  const diff = Bun.spawnSync(["git", "diff"], { cwd: join(home.cwd, "try"), env: home.env });
  expect(diff.stdout.toString()).toContain("\n+add() { echo $(($1 + $2)); }\n");
  const lines = stdout.trim().split("\n");
  expect({ exitCode, first: lines[0], last: lines.at(-1), stderr }).toEqual({
    exitCode: 0,
    first: "failed",
    last: "passed",
    stderr: expect.stringContaining("qwen3:8b"),
  });
});
