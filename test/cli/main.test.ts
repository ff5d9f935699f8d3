import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { notBuilt } from "../../src/cli/commands/not-built.ts";
import { factsOf, subcommandNames } from "../../src/cli/names.ts";
import { PROGRAMS } from "../../src/cli/programs.ts";
import { runChoice } from "../../src/cli/run.ts";
import type { Io } from "../../src/protocol/program.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import { VERSION } from "../../src/util/package.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");

test("--version prints name and version", async () => {
  await using home = await tempHome();
  expect(await run(home, ["--version"])).toMatchObject({
    exitCode: 0,
    stdout: `interpreter ${VERSION}\n`,
    stderr: "",
  });
});

test("the help lists the commands", async () => {
  await using home = await tempHome();
  const { exitCode, stdout } = await run(home, ["--help"]);
  expect([exitCode, stdout.match(/^ {2}(exec|features|help) /gm)]).toEqual([
    0,
    ["  exec ", "  features ", "  help "],
  ]);
});

test("the help marks the commands that are not built, and no others", async () => {
  await using home = await tempHome();
  const { stdout } = await run(home, ["--help"]);
  const marked = [...stdout.matchAll(/^ {2}(\S+) .*\(not built yet\)$/gm)].map(([, name]) => name);
  const works = new Set<string>([...Object.keys(PROGRAMS), "help", "completion"]);
  const visible = subcommandNames().filter((name) => !factsOf(name).hidden);
  expect(marked).toEqual(visible.filter((name) => !works.has(name)));
});

test("a command that is not built ends with 2 and names what works today", async () => {
  await using home = await tempHome();
  const failure = await notBuilt("fork").main([], collectingIo(home).io).catch(toErrorInfo);
  expect(failure).toEqual({
    code: "usage",
    message: "'interpreter fork' is not built yet",
    retryable: false,
    hint: 'use: interpreter exec fork SESSION_ID "your task"',
  });
});

test("every command explains itself with exit code 0", async () => {
  await using home = await tempHome();
  const names = subcommandNames();
  const results: unknown[] = [];
  for (const name of names) {
    const { io, stdout } = collectingIo(home);
    const exitCode = await runChoice({ kind: "program", program: "help", argv: [name] }, io);
    results.push({ name, exitCode, hasUsage: stdout().includes("Usage: interpreter") });
  }
  expect(results).toEqual(names.map((name) => ({ name, exitCode: 0, hasUsage: true })));
});

function collectingIo(home: TempHome): { io: Io; stdout(): string } {
  const written: string[] = [];
  const sink = { isTty: false, columns: 80, write: async () => {} };
  const stdout = { ...sink, write: async (text: string) => void written.push(text) };
  const stdin = { isTty: false, stream: () => new ReadableStream() };
  const { env, cwd } = home;
  return {
    io: { stdin, stdout, stderr: sink, env, cwd, signal: AbortSignal.abort() },
    stdout: () => written.join(""),
  };
}

test("a mistyped command ends with 2, names the right one and shows the usage", async () => {
  await using home = await tempHome();
  expect(await run(home, ["exce"])).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: `error: unrecognized subcommand 'exce'

  tip: a similar subcommand exists: 'exec'

Usage: interpreter [OPTIONS] [PROMPT]

For more information, try '--help'.
`,
  });
});

test("an unknown option ends with 2 and prints nothing on stdout", async () => {
  await using home = await tempHome();
  const { exitCode, stdout, stderr } = await run(home, ["exec", "--no-such-flag"]);
  expect([exitCode, stdout, stderr.split("\n")[0]]).toEqual([
    2,
    "",
    "error: unexpected argument '--no-such-flag' found",
  ]);
});

test("-c without an equals sign ends with 1 and says so", async () => {
  await using home = await tempHome();
  const { exitCode, stderr } = await run(home, ["features", "list", "-c", "model"]);
  expect([exitCode, stderr.split("\n")[0]]).toEqual([
    1,
    "Error parsing -c overrides: Invalid override (missing '='): model",
  ]);
});

test("a fault in config.toml ends with 1 and its place on stderr", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "\n[features]\nhooks = 1\n");
  expect(await run(home, ["features", "list"])).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: `error: ${home.path}/config.toml:3:1: features.hooks: wanted true, false or a table, found 1\n`,
  });
});

test("the name that the program is called by chooses what it does", async () => {
  await using home = await tempHome();
  const link = join(home.cwd, "apply_patch");
  await symlink(process.execPath, link);
  const patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n";
  const child = Bun.spawn([link, MAIN, patch], {
    cwd: home.cwd,
    env: home.env,
    argv0: "apply_patch",
    stderr: "pipe",
  });
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
  expect(await readFile(join(home.cwd, "new.txt"), "utf8")).toBe("hello\n");
});

test("the first argument can make it apply a patch as well", async () => {
  await using home = await tempHome();
  const patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n";
  expect((await run(home, ["--run-as-apply-patch", patch])).exitCode).toBe(0);
  expect(await readFile(join(home.cwd, "new.txt"), "utf8")).toBe("hello\n");
});

test("features are listed with their state, switched in config.toml, and listed anew", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "# mine\n");
  const stateOf = async () =>
    /^unified_exec +(\S+ +\S+)$/m.exec((await run(home, ["features", "list"])).stdout)?.[1];
  expect(await stateOf()).toMatch(/^stable +true$/);
  const { exitCode, stdout } = await run(home, ["features", "disable", "unified_exec"]);
  expect([exitCode, stdout]).toEqual([0, `Disabled feature unified_exec in ${home.path}/config.toml.\n`]);
  expect(await readFile(join(home.path, "config.toml"), "utf8")).toBe(
    "# mine\n\n[features]\nunified_exec = false\n",
  );
  expect(await stateOf()).toMatch(/^stable +false$/);
});

test("a feature is switched for a profile: in its table, or in its own file", async () => {
  await using home = await tempHome();
  await home.write("~/slow.config.toml", "# slow\n");
  for (const profile of ["fast", "slow"])
    expect((await run(home, ["features", "disable", "-p", profile, "hooks"])).exitCode).toBe(0);
  const files = ["config.toml", "slow.config.toml"].map((name) => readFile(join(home.path, name), "utf8"));
  expect(await Promise.all(files)).toEqual([
    "[profiles.fast.features]\nhooks = false\n",
    "# slow\n\n[features]\nhooks = false\n",
  ]);
});

test("what is odd about the settings is told beside the list of features", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "[features]\nhoks = true\n");
  const { exitCode, stderr } = await run(home, ["features", "list"]);
  expect([exitCode, stderr]).toEqual([
    0,
    `warning: ${home.path}/config.toml:2:1: unrecognized configuration field \`features.hoks\`; did you mean \`hooks\`?\n`,
  ]);
});

test("an unknown feature is refused with the nearest name, an unknown action with the list", async () => {
  await using home = await tempHome();
  expect(await run(home, ["features", "enable", "hoks"])).toMatchObject({
    exitCode: 1,
    stderr:
      "error: Unknown feature flag: hoks\ndid you mean hooks? 'interpreter features list' shows all names\n",
  });
  const { exitCode, stderr } = await run(home, ["features", "show"]);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("[possible values: list, enable, disable]"),
  ]);
});
