import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { confinedTest } from "../sandbox/confined.ts";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const WRITING = ["sandbox", "--mode", "workspace-write", "--"];

confinedTest("without a mode the command reads and changes nothing", async () => {
  await using home = await tempHome();
  await home.write("a.txt", "readable\n");
  const { exitCode, stdout } = await run(home, [
    "sandbox",
    "sh",
    "-c",
    "cat a.txt; echo x > b.txt || exit 7",
  ]);
  expect({ exitCode, stdout, files: await readdir(home.cwd) }).toEqual({
    exitCode: 7,
    stdout: "readable\n",
    files: ["a.txt"],
  });
});

confinedTest(
  "from a folder of a repository, the whole repository can be changed and its .git can't",
  async () => {
    await using home = await tempHome();
    await home.write(".git/config", "");
    const sub = join(home.cwd, "sub");
    await mkdir(sub);
    const script =
      "pwd; echo x > here; echo x > ../there; echo x > ../.git/config || echo kept; mkdir ../.codex/x || echo none";
    const { stdout } = await run(home, [...WRITING, "sh", "-c", script], { cwd: sub });
    expect(stdout).toBe(`${sub}\nkept\nnone\n`);
    expect((await readdir(home.cwd)).sort()).toEqual([".git", "sub", "there"]);
  },
);

confinedTest("our own settings stay read-only, even below a writable temporary folder", async () => {
  await using home = await tempHome();
  const script = `touch ${home.path}/../beside && touch ${home.path}/config.toml || echo kept`;
  const { stdout } = await run(home, [...WRITING, "sh", "-c", script]);
  expect({ stdout, settings: existsSync(join(home.path, "config.toml")) }).toEqual({
    stdout: "kept\n",
    settings: false,
  });
});

confinedTest(
  "keys and tokens stay outside, other variables come in, and the command knows it is offline",
  async () => {
    await using home = await tempHome();
    const env = { MY_API_KEY: "hidden-1", github_token: "hidden-2", MYVAR: "a b" };
    const script = "env | grep -c hidden; printenv MYVAR CODEX_SANDBOX_NETWORK_DISABLED";
    const { stdout } = await run(home, ["sandbox", "sh", "-c", script], { env });
    expect(stdout).toBe("0\na b\n1\n");
  },
);

confinedTest("denied files are named by path or pattern", async () => {
  await using home = await tempHome();
  await home.write("prod.env", "SECRET\n");
  const key = await home.write("~/key", "SECRET\n");
  const argv = ["sandbox", "--deny-read", "**/*.env", "--deny-read", key, "--", "cat", "prod.env", key];
  const { exitCode, stdout } = await run(home, argv);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
});

confinedTest("the command reads our standard input and keeps its streams apart", async () => {
  await using home = await tempHome();
  const script = "cat; echo problem >&2";
  const { stdout, stderr } = await run(home, ["sandbox", "sh", "-c", script], { stdin: "line 1\nline 2\n" });
  expect({ stdout, stderr }).toEqual({ stdout: "line 1\nline 2\n", stderr: "problem\n" });
});

confinedTest("the signal that ends us reaches the command first", async () => {
  await using home = await tempHome();
  const script = "trap 'echo caught; exit 5' TERM; sleep 1000 & echo ready; wait";
  const { exitCode, stdout } = await run(home, ["sandbox", "sh", "-c", script], {
    onLine: (line, kill) => line === "ready" && kill("SIGTERM"),
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 143, stdout: "ready\ncaught\n" });
});

test("danger-full-access runs the command without a sandbox", async () => {
  await using home = await tempHome();
  const argv = ["sandbox", "--mode", "danger-full-access", "--", "sh", "-c", "echo x > ../outside; exit 3"];
  const { exitCode } = await run(home, argv);
  expect({ exitCode, written: existsSync(join(home.cwd, "..", "outside")) }).toEqual({
    exitCode: 3,
    written: true,
  });
  const missing = await run(home, ["sandbox", "--mode", "danger-full-access", "no-such-command-here"]);
  expect({ exitCode: missing.exitCode, stderr: missing.stderr }).toEqual({
    exitCode: 127,
    stderr: 'error: the command "no-such-command-here" was not found\n',
  });
});

const WRONG: [argv: string[], message: string][] = [
  [[], "error: a command to run was not given"],
  [["--mode", "open", "true"], "error: invalid value 'open' for '--mode <MODE>'"],
  [["--network", "true"], "error: '--network' needs '--mode workspace-write'"],
  [["--mode", "danger-full-access", "--deny-read", "x", "true"], "error: '--deny-read' needs a sandbox"],
];

for (const [argv, message] of WRONG) {
  test(`a wrong command line says: ${message}`, async () => {
    await using home = await tempHome();
    const { exitCode, stderr } = await run(home, ["sandbox", ...argv]);
    expect({ exitCode, starts: stderr.startsWith(message) ? message : stderr }).toEqual({
      exitCode: 2,
      starts: message,
    });
  });
}
