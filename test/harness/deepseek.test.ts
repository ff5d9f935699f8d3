import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { calls, type FakeChoice, says } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { brokenPrefix, play, results } from "./session.ts";

setDefaultTimeout(120_000);

/** The id of the command in the background that the request tells of. */
const taskIn = (body: unknown) => /task_id: (\d+)/.exec(JSON.stringify(body))?.[1] ?? "";

test("deepseek-tui: programs are run with what they read, and checks tell whether they passed", async () => {
  await using home = await tempHome();
  await home.write("package.json", JSON.stringify({ scripts: { test: "echo tested" } }));
  const asked = await play(home, "deepseek-tui", [
    calls("exec_shell", { command: "cat", stdin: "from stdin" }),
    calls("code_execution", { code: "print(6 * 7)" }),
    calls("js_execution", { code: 'console.log("it\'s", 1 + 1)' }),
    calls("run_tests", { args: "one" }),
    calls("task_gate_run", { gate: "custom", command: "exit 4" }),
    calls("validate_data", { content: '{"a": 1' }),
    calls("validate_data", { path: "package.json" }),
    calls("note", { content: "it's a note" }),
    calls("recall_archive", { query: "tested" }),
    says("done"),
  ]);
  expect(results(asked)).toEqual([
    "from stdin",
    "42\n",
    "it's 2\n",
    expect.stringContaining("tested one"),
    "failed (exit code: 4)\n",
    expect.stringMatching(/^not valid as JSON: .*; as TOML: /s),
    "valid JSON",
    expect.stringContaining("notes.md"),
    expect.stringContaining("tested one"),
  ]);
  expect(await readFile(`${home.cwd}/.deepseek/notes.md`, "utf8")).toBe("it's a note\n");
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("deepseek-tui: a command in the background can be written to until its input is closed", async () => {
  await using home = await tempHome();
  const asked = await play(home, "deepseek-tui", [
    calls("exec_shell", {
      command: "while read line; do echo got $line; done; echo over",
      background: true,
      interactive: true,
    }),
    ({ body }) => calls("exec_shell_interact", { task_id: taskIn(body), input: "one\n", timeout_ms: 500 }),
    ({ body }) =>
      calls("exec_interact", { task_id: taskIn(body), data: "two\n", close_stdin: true, timeout_ms: 5000 }),
    ({ body }) => calls("exec_interact", { task_id: taskIn(body), input: "three\n" }),
    says("done"),
  ]);
  const [, first, second, third] = results(asked).map(String);
  expect(first).toEndWith(": still running\ngot one");
  expect(second).toEndWith(": ended with exit code 0\ngot two\nover");
  expect(third).toContain("reads no input");
});

test("deepseek-tui: helpers work in the background, are talked to by their names, and review", async () => {
  await using home = await tempHome();
  const asked = await play(home, "deepseek-tui", [
    calls("agent_open", { name: "scout", prompt: "look around", type: "explore" }),
    says("I wait"),
    says("there is little"),
    calls("task_read", { task_id: "scout" }),
    calls("agent_eval", { name: "scout", message: "how little?" }),
    says("very little"),
    calls("review", { target: "changes", staged: true }),
    says("nothing wrong"),
    calls("agent_close", { name: "scout" }),
    says("done"),
  ]);
  const texts = asked.messages.flat().map(({ content }) => JSON.stringify(content));
  expect(texts.some((text) => text.includes('task_ended id=\\"scout\\"'))).toBe(true);
  expect(texts.some((text) => text.includes("Review changes, only what is staged. Look"))).toBe(true);
  expect(results(asked)).toEqual([
    expect.stringMatching(/^Started. agent_id: scout; its report will be in .*txt$/),
    "Task scout: done\nthere is little",
    "very little",
    "nothing wrong",
    "Task scout has already ended",
  ]);
});

test("deepseek-tui: tools whose programs are not installed are not shown", async () => {
  await using home = await tempHome();
  const asked = await play(home, "deepseek-tui", [says("done")]);
  const shown = (name: string) => asked.tools[0]?.includes(name);
  expect([shown("github_comment"), shown("pandoc_convert")]).toEqual([
    Bun.which("gh") !== null,
    Bun.which("pandoc") !== null,
  ]);
  expect(shown("exec_shell")).toBe(true);
});

test("deepseek-tui: prompts are kept for later, changed, silenced and said", async () => {
  await using home = await tempHome();
  const id = (body: unknown) => /id: ([0-9a-f]{8})/.exec(JSON.stringify(body))?.[1] ?? "";
  const later =
    (tool: string, more: object = {}): FakeChoice =>
    ({ body }) =>
      calls(tool, { automation_id: id(body), ...more });
  const asked = await play(home, "deepseek-tui", [
    calls("automation_create", { name: "look", prompt: "Look again.", rrule: "FREQ=DAILY;BYHOUR=9" }),
    later("automation_pause"),
    later("automation_update", { prompt: "Look twice.", rrule: "FREQ=HOURLY" }),
    later("automation_resume"),
    later("automation_run"),
    calls("automation_list", {}),
    later("automation_delete"),
    later("automation_read"),
    says("done"),
  ]);
  const shown = (cron: string, due: string, prompt: string) =>
    expect.stringMatching(
      new RegExp(`name: look\\ncron: ${cron}\\nrecurring: true\\n${due}.*\\nprompt: ${prompt}$`),
    );
  expect(results(asked)).toEqual([
    shown("0 9 \\* \\* \\*", "next: ", "Look again."),
    shown("0 9 \\* \\* \\*", "paused", "Look again."),
    shown("0 \\*/1 \\* \\* \\*", "paused", "Look twice."),
    shown("0 \\*/1 \\* \\* \\*", "next: ", "Look twice."),
    "Its time is now. Look twice.",
    shown("0 \\*/1 \\* \\* \\*", "next: ", "Look twice."),
    expect.stringContaining("Deleted scheduled prompt"),
    expect.stringContaining("there is no scheduled prompt"),
  ]);
});
