import { expect, setDefaultTimeout, test } from "bun:test";
import { type CompletedCommand, completionScript } from "../../src/cli/completion-scripts.ts";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const COMMANDS: CompletedCommand[] = [
  { name: "", summary: "All", options: [{ long: "model", short: "m", value: "MODEL", summary: "Model" }] },
  {
    name: "exec",
    summary: "Run",
    options: [
      { long: "sandbox", short: "s", value: "MODE", values: ["read-only", "off"], summary: "Sandbox" },
      { long: "secret", hidden: true, summary: "Not shown" },
    ],
  },
];

/** What bash offers for the last of `words`. */
async function completions(...words: string[]): Promise<string[]> {
  const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _interpreter; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${completionScript("bash", COMMANDS)}\n${ask}`;
  const child = Bun.spawn(["bash", "-c", script, "bash", "interpreter", ...words], { stderr: "inherit" });
  return (await new Response(child.stdout).text()).split("\n").filter((word) => word !== "");
}

test("bash completes commands, options, and values that are a fixed set", async () => {
  expect(await completions("")).toEqual(["--model", "--help", "exec"]);
  expect(await completions("ex")).toEqual(["exec"]);
  expect(await completions("exec", "--")).toEqual(["--sandbox", "--help"]);
  expect(await completions("exec", "--sandbox", "")).toEqual(["read-only", "off"]);
  expect(await completions("exec", "-s", "o")).toEqual(["off"]);
});

test("zsh uses the same functions", () => {
  expect(completionScript("zsh", COMMANDS)).toBe(
    `#compdef interpreter i\nautoload -Uz bashcompinit && bashcompinit\n${completionScript("bash", COMMANDS)}`,
  );
});

test("fish gets one line for each command and option", () => {
  expect(
    completionScript("fish", COMMANDS),
  ).toBe(`function __interpreter_no_command; not __fish_seen_subcommand_from exec; end
complete -c interpreter -f -n __interpreter_no_command -a exec -d 'Run'
complete -c interpreter -n __interpreter_no_command -l model -s m -r -d 'Model'
complete -c interpreter -n __interpreter_no_command -l help -s h -d 'Print this help'
complete -c interpreter -n '__fish_seen_subcommand_from exec' -l sandbox -s s -r -f -a 'read-only off' -d 'Sandbox'
complete -c interpreter -n '__fish_seen_subcommand_from exec' -l help -s h -d 'Print this help'
complete -c i -w interpreter
`);
});

test("PowerShell gets a table of options for each command", () => {
  const script = completionScript("powershell", COMMANDS);
  expect(script).toContain("    '' = @('--model', '--help')\n    'exec' = @('--sandbox', '--help')\n");
  expect(script).toContain("$names = @('exec')");
});

test("the command prints a script for the shell that is asked for, and refuses others", async () => {
  await using home = await tempHome();
  const bash = await run(home, ["completion"]);
  expect([bash.exitCode, bash.stdout.includes("--output-schema")]).toEqual([0, true]);
  const other = await run(home, ["completion", "tcsh"]);
  expect([other.exitCode, other.stdout, other.stderr.split("\n").slice(0, 2)]).toEqual([
    2,
    "",
    ["error: invalid value 'tcsh' for '[SHELL]'", "  [possible values: bash, zsh, fish, powershell]"],
  ]);
});
