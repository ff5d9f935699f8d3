import { expect, setDefaultTimeout, test } from "bun:test";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(60_000);

test("a word that is not an action of a command ends with 2 and the nearest one", async () => {
  await using home = await tempHome();
  const commands = [
    ["mcp", "lst"],
    ["skills", "shw"],
    ["features", "lisst"],
    ["harness", "lst"],
    ["help", "exce"],
    ["completion", "bsh"],
    ["debug", "parse-repl"],
    ["exec", "help", "reviw"],
  ];
  const results = await Promise.all(
    commands.map(async (argv) => {
      const { exitCode, stdout, stderr } = await run(home, argv);
      const near = /tip: a similar \w+ exists: '(\S+)'/.exec(stderr)?.[1];
      return [exitCode, stdout, near, stderr.includes("\nUsage: interpreter ")];
    }),
  );
  const meant = ["list", "show", "list", "list", "exec", "bash", "parse-reply", "review"];
  expect(results).toEqual(meant.map((near) => [2, "", near, true]));
});

test("what is named and not there ends with 1, whatever the command", async () => {
  await using home = await tempHome();
  const commands = [
    ["skills", "show", "nothing"],
    ["skills", "validate", "nothing"],
    ["harness", "show", "nothing"],
    ["harness", "validate", "nothing"],
    ["mcp", "get", "nothing"],
    ["features", "enable", "nothing"],
    ["exec", "--skip-git-repo-check", "resume", "01890000-0000-7000-8000-000000000000", "go on"],
  ];
  const results = await Promise.all(commands.map(async (argv) => (await run(home, argv)).exitCode));
  expect(results).toEqual(commands.map(() => 1));
});

test("exec help explains exec and its subcommands, and asks no model", async () => {
  await using home = await tempHome();
  const words = [[], ["resume"], ["review"]];
  const results = await Promise.all(
    words.map(async (rest) => {
      const { exitCode, stdout } = await run(home, ["exec", "help", ...rest]);
      return [exitCode, /^Usage: (.*) \[OPTIONS\]/m.exec(stdout)?.[1]];
    }),
  );
  expect(results).toEqual([
    [0, "interpreter exec"],
    [0, "interpreter exec resume"],
    [0, "interpreter exec review"],
  ]);
});

test("review is called by the name under which it was started", async () => {
  await using home = await tempHome();
  const help = await run(home, ["review", "--help"]);
  const wrong = await run(home, ["review", "--base", "main", "these words"]);
  expect([help.exitCode, /^Usage: .*$/m.exec(help.stdout)?.[0]]).toEqual([
    0,
    "Usage: interpreter review [OPTIONS] [PROMPT]",
  ]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    2,
    "error: a prompt and a target can't be given together\n\n" +
      "Usage: interpreter review [OPTIONS] [PROMPT]\n\nFor more information, try '--help'.\n",
  ]);
});
