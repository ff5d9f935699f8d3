import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { isAlive, writeCommandScript } from "../../../src/frontends/acp/command-script.ts";

const cwd = await realpath(tmpdir());
const ENV = process.execPath;
/** Prints its environment and where it is, by a program that is no shell. */
const TELLS = [ENV, "-e", "console.log(JSON.stringify([process.env, process.cwd()]))"];

/** As a client would run it, with an environment of its own. */
async function run({ command, args }: { command: string; args: string[] }, more: string[] = []) {
  const child = Bun.spawn([command, ...args, ...more], {
    cwd: "/",
    env: { ...process.env, CLIENT_API_KEY: "the-clients-own-key", BUN_OPTIONS: "" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const stdout = await new Response(child.stdout).text();
  return { exitCode: await child.exited, stdout };
}

test("a command has the environment that it was given, to the letter, and nothing else", async () => {
  const env = {
    PATH: "/usr/bin:/bin",
    QUOTES: `it's "quoted" $HOME \`id\` \\ !`,
    LINES: "24",
    MORE_LINES: "one\ntwo\n",
    EMPTY: "",
    "BASH_FUNC_greet%%": "() {  echo hi\n}",
    "npm_config_//host/:_auth": "x",
    UID: "77",
    IFS: ",",
    LC_ALL: "C.UTF-8",
    HOME: "/nowhere",
  };
  const script = await writeCommandScript({ argv: TELLS, cwd, env });
  const { stdout, exitCode } = await run(script.words);
  const [seen, place] = JSON.parse(stdout);
  // Every shell adds some of these, also when we start the command ourselves.
  const { _: __, PWD: ___, SHLVL: ____, OLDPWD: _____, ...rest } = seen;
  expect({ rest, place, exitCode }).toEqual({ rest: env, place: cwd, exitCode: 0 });
  script.remove();
});

test("words with special characters, of any shell, reach the command as they are", async () => {
  const words = ["a b", "it's", '"', "$HOME", "`id`", "\\", "!", "*", "~", "", "línea\nnueva", "-n"];
  const argv = [ENV, "-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--", ...words];
  const script = await writeCommandScript({ argv, cwd, env: { PATH: "/usr/bin:/bin" } });
  const { stdout } = await run(script.words);
  expect(JSON.parse(stdout)).toEqual(words);
  script.remove();
});

test("what the client starts needs no quotes and tells no value of the environment", async () => {
  const argv = ["/bin/sh", "-c", "echo 'a' && rm -rf \"$X\"; true"];
  const script = await writeCommandScript({ argv, cwd, env: { TOKEN: "secret-value" } });
  const line = [script.words.command, ...script.words.args].join(" ");
  expect(line).toMatch(/^\/usr\/bin\/env -i \/bin\/sh [\w./-]+\/echo-a-rm--rf-X-true\.sh$/);
  const file = script.words.args[2] ?? "";
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  script.remove();
  expect(existsSync(dirname(file))).toBe(false);
});

test("once the command has begun its process is known, the file is empty, and it can't be forbidden", async () => {
  const script = await writeCommandScript({ argv: ["/bin/sh", "-c", "echo $$; exit 7"], cwd, env: {} });
  expect(script.begun()).toBeUndefined();
  const { stdout, exitCode } = await run(script.words);
  const begun = script.begun();
  expect({ pid: begun?.pid, exitCode }).toEqual({ pid: Number(stdout), exitCode: 7 });
  expect(readFileSync(script.words.args[2] ?? "", "utf8")).toBe("");
  expect(script.forbid()).toBe(false);
  script.remove();
});

test("a command that was forbidden does not begin", async () => {
  const script = await writeCommandScript({ argv: ["/bin/echo", "ran"], cwd, env: {} });
  expect(script.forbid()).toBe(true);
  const { stdout, exitCode } = await run(script.words);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 126 });
  expect(script.begun()).toBeUndefined();
  script.remove();
});

test.skipIf(process.platform !== "linux")(
  "another process under the same number is not taken for the command",
  async () => {
    const { pid } = process;
    expect(isAlive({ pid, bornAt: "1" })).toBe(false);
    expect(isAlive({ pid, bornAt: "" })).toBe(false);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const bornAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
    expect(isAlive({ pid, bornAt })).toBe(true);
  },
);
