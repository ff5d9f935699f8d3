import { expect, setDefaultTimeout, test } from "bun:test";
import { answers, calls, type FakeTurn, says } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { brokenPrefix, play, results, rolesOf } from "./session.ts";

setDefaultTimeout(120_000);

const both = (name: string): FakeTurn =>
  answers(
    { type: "text", text: "Two at once." },
    { type: "call", name, input: { command: "sleep 0.3; echo FIRST", description: "a" } },
    { type: "call", name, input: { command: "echo SECOND", description: "b" } },
  );

test("opencode: a session with good and bad calls, as its model knows it", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "alpha\nsame\nsame\n");
  const edit = (oldString: string) => calls("edit", { filePath: path, oldString, newString: "omega" });
  const asked = await play(home, "opencode", [
    calls("bash", { command: "echo hello; echo warn >&2" }),
    calls("bash", { command: "echo out; exit 3" }),
    calls("bash", { command: "exit 3" }),
    calls("bash", { command: "echo begun; sleep 60", timeout: 3000 }),
    calls("read", { filePath: path }),
    calls("read", { filePath: `${home.cwd}/none` }),
    calls("read", { filePath: path, offset: 2, limit: 1 }),
    edit("alpha"),
    edit("beta"),
    edit("same"),
    both("bash"),
    calls("todowrite", { todos: [{ content: "look", status: "pending", priority: "high" }] }),
    calls("glob", { pattern: "*.txt" }),
    calls("grep", { pattern: "same" }),
    calls("bash", { cmd: "ls" }),
    says("done"),
  ]);
  expect(results(asked)).toEqual([
    "hello\nwarn\n",
    "out\n",
    "(the command wrote nothing, exit code 3)",
    "begun\n\n\n<shell_metadata>\nThe command was ended because it ran longer than 3000 ms. Give it more time with timeout if it needs that.\n</shell_metadata>",
    `<path>${path}</path>\n<type>file</type>\n<content>\n1: alpha\n2: same\n3: same\n\n(End of file - total 3 lines)\n</content>`,
    `No file at this path: ${home.cwd}/none`,
    `<path>${path}</path>\n<type>file</type>\n<content>\n2: same\n\n(Showing lines 2-2 of 3. Go on with offset 3.)\n</content>`,
    `Changed ${path} (1 replaced, first in line 1).`,
    expect.stringMatching(/^[^\n]+$/),
    expect.stringMatching(/^[^\n]+ 2 times [^\n]+$/),
    "FIRST\n",
    "SECOND\n",
    '[\n  {\n    "content": "look",\n    "status": "pending",\n    "priority": "high"\n  }\n]',
    path,
    `Found 2 matches\n${path}:\n  Line 2: same\n  Line 3: same`,
    'The bash call has wrong arguments: SchemaError(missing\n  at ["command"]).\nWrite them again so that they fit the schema of the tool.',
  ]);
  expect(brokenPrefix(asked)).toBeUndefined();
  expect(rolesOf(asked).slice(0, 4)).toEqual(["system", "user", "assistant", "tool"]);
  expect(asked.messages.at(-1)?.[2]?.content).toBe("");
});

test("opencode: a call of a tool that does not exist is shown as one of a tool named invalid", async () => {
  await using home = await tempHome();
  const asked = await play(home, "opencode", [
    calls("nonsense", { x: 1 }),
    calls("bash", { command: "false" }),
    says("done"),
  ]);
  const [unknown, failing] = (asked.messages.at(-1) ?? []).flatMap(({ tool_calls = [] }) => tool_calls);
  const text = "The call can't be made: there is no tool nonsense, use one of those that were offered.";
  expect(unknown?.function).toEqual({
    name: "invalid",
    arguments: JSON.stringify({ tool: "nonsense", error: text }),
  });
  expect(failing?.function.name).toBe("bash");
  expect(results(asked)[0]).toBe(text);
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("opencode: a helper has eight tools, and its last message comes back in a frame", async () => {
  await using home = await tempHome();
  await home.write("a.txt", "secret word: plum\n");
  const asked = await play(home, "opencode", [
    calls("task", { description: "find it", prompt: "Find the word.", subagent_type: "general" }, "call_7"),
    calls("read", { filePath: "a.txt" }),
    says("The word is plum."),
    says("done"),
  ]);
  expect(asked.tools[1]).toEqual(["bash", "edit", "glob", "grep", "read", "skill", "webfetch", "write"]);
  expect(results(asked)).toEqual([
    '<task id="call_7" state="completed">\n<task_result>\nThe word is plum.\n</task_result>\n</task>',
  ]);
});

test("opencode: of a long output the model sees the end, and where all of it is", async () => {
  await using home = await tempHome();
  const asked = await play(home, "opencode", [calls("bash", { command: "seq 1 20000" }), says("done")]);
  expect(String(results(asked)[0])).toMatch(
    /^\.\.\.output truncated\.\.\.\n\nAll of it is in the file: \S+\n\n18001\n[\d\n]+\n20000\n$/,
  );
});

test("pi: a session with good and bad calls, as its model knows it", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "alpha\nsame\nsame\n");
  const edit = (...oldTexts: string[]) =>
    calls("edit", { path, edits: oldTexts.map((oldText) => ({ oldText, newText: oldText.toUpperCase() })) });
  const asked = await play(home, "pi", [
    calls("bash", { command: "echo hello; echo warn >&2" }),
    calls("bash", { command: "echo out; exit 3" }),
    calls("bash", { command: "sleep 60", timeout: 0.3 }),
    calls("bash", { command: "seq 1 20000" }),
    calls("read", { path }),
    calls("read", { path, offset: 2, limit: 1 }),
    calls("read", { path: `${home.cwd}/none` }),
    edit("alpha\n", "omega"),
    edit("same"),
    edit("alpha", "same\nsame"),
    calls("write", { path: "new/b.txt", content: "one\n" }),
    both("bash"),
    calls("nonsense", { x: 1 }),
    calls("bash", { cmd: "ls" }),
    says("done"),
  ]);
  expect(results(asked)).toEqual([
    "hello\nwarn\n",
    "out\n\n\nCommand exited with code 3",
    "The command was ended after 0.3 seconds",
    expect.stringMatching(
      /^18001\n[\d\n]+20000\n\n\[Showing lines 18001-20000 of 20000\. All of the output: \S+\]$/,
    ),
    "alpha\nsame\nsame\n",
    "same\n\n[2 more lines in file. Go on with offset=3.]",
    `ENOENT: there is no such file, open '${home.cwd}/none'`,
    expect.stringMatching(/^Nothing was changed in \S+\. edit 2 of 2: [^\n]+$/),
    expect.stringMatching(/^[^\n]+ 2 times [^\n]+$/),
    `Made 2 replacements in ${path}.`,
    `Wrote 4 bytes to ${home.cwd}/new/b.txt`,
    "FIRST\n",
    "SECOND\n",
    "Tool nonsense does not exist; use one of those that were offered",
    'The arguments do not fit the tool "bash":\n  - command: missing\n\nWhat was sent:\n{\n  "cmd": "ls"\n}',
  ]);
  expect(await Bun.file(path).text()).toBe("ALPHA\nSAME\nSAME\n");
  expect(asked.messages[0]?.[1]?.content).toEqual([{ type: "text", text: "go" }]);
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("little-coder: one shell stays open, and snippets are put aside", async () => {
  await using home = await tempHome();
  await home.write("src/a.txt", "alpha\n");
  const session = (command: string, timeout?: number) => calls("ShellSession", { command, timeout });
  const asked = await play(home, "little-coder", [
    session("cd src && WORD=plum"),
    session("echo $WORD; cat a.txt; false"),
    calls("ShellSessionCwd", {}),
    session("cat; echo after"),
    session("sleep 60", 1),
    session("echo [$WORD]"),
    session("exit 3"),
    calls("ShellSessionReset", {}),
    calls("EvidenceAdd", { source: "a.txt:1", note: "the word", snippet: "alpha" }),
    calls("EvidenceList", {}),
    calls("EvidenceGet", { id: "e1" }),
    calls("EvidenceGet", { id: "e2" }),
    calls("glob", { pattern: "src/*" }),
    calls("edit", { path: "src/a.txt", edits: [{ oldText: "alpha", newText: "beta" }] }),
    says("done"),
  ]);
  expect(results(asked)).toEqual([
    "(exit code 0)",
    "plum\nalpha\n(exit code 1)",
    `${home.cwd}/src\n(exit code 0)`,
    "after\n(exit code 0)",
    "(the command ran longer than 1 seconds; the next command gets a new shell)",
    "[]\n(exit code 0)",
    expect.stringContaining("(the shell has ended; the next command gets a new shell)"),
    "The shell was closed; the next command gets a new one",
    "Put aside as e1",
    "e1: the word (a.txt:1)",
    "the word\nSource: a.txt:1\n\nalpha",
    "there is no evidence e2; there are e1 to e1",
    "src/a.txt",
    `Made 1 replacements in ${home.cwd}/src/a.txt.`,
  ]);
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("deepseek-tui: every tool that it shows does something", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "alpha\nsame\nsame\n");
  Bun.spawnSync(["git", "init", "-q", "-b", "main"], { cwd: home.cwd, env: { PATH: process.env["PATH"] } });
  const edit = (search: string) => calls("edit_file", { path, search, replace: "omega" });
  const asked = await play(home, "deepseek-tui", [
    calls("exec_shell", { command: "true" }),
    calls("exec_shell", { command: "echo out; exit 3" }),
    calls("read_file", { path, start_line: 2, max_lines: 1 }),
    edit("alpha"),
    edit("same"),
    calls("checklist_write", { todos: [{ content: "look", status: "pending" }] }),
    calls("checklist_add", { content: "change" }),
    calls("checklist_update", { id: 1, status: "completed" }),
    calls("checklist_update", { id: 9, status: "completed" }),
    calls("checklist_list", {}),
    calls("git_status", {}),
    calls("git_show", { rev: "--output=x" }),
    calls("grep_files", { pattern: "same", include: ["*.txt", "*.md"], exclude: ["b*"], max_results: 1 }),
    calls("file_search", { query: "atx" }),
    calls("list_dir", {}),
    calls("write_file", { path: "src/b.txt", content: "b\n" }),
    calls("project_map", {}),
    calls("apply_patch", { patch: "*** Begin Patch\n*** Delete File: src/b.txt\n*** End Patch" }),
    calls("load_skill", { name: "none" }),
    calls("update_plan", { plan: [{ step: "look", status: "completed" }] }),
    says("done"),
  ]);
  expect(results(asked)).toEqual([
    "(no output)",
    "Command failed (exit code: 3)\n\nSTDOUT:\nout\n\n\nSTDERR:\n(part of the above, as it came)",
    "2\tsame\n(lines 2-2 of 3; go on with offset 3)",
    expect.stringContaining(`Edited ${path} (1 replacement, line 1)`),
    expect.stringContaining("2 times"),
    "1. [pending] look",
    "1. [pending] look\n2. [pending] change",
    "1. [completed] look\n2. [pending] change",
    "there is no entry 9; the list has 2",
    "1. [completed] look\n2. [pending] change",
    "## No commits yet on main\n?? a.txt\n",
    'wanted a commit, found "--output=x"',
    expect.stringMatching(/^a\.txt:2:same\n/),
    "a.txt",
    ".git/ (ignored)\na.txt",
    expect.stringContaining("src/b.txt"),
    ".git/ (ignored)\na.txt\nsrc/\n  b.txt",
    expect.stringContaining("D src/b.txt"),
    expect.stringContaining("there is no skill none"),
    "Plan updated",
  ]);
  const assistant = asked.messages.at(-1)?.[2];
  expect([assistant?.content, assistant?.["reasoning_content"]]).toEqual(["", "(reasoning omitted)"]);
  expect(asked.messages[0]?.[1]?.content).toMatch(
    /^<turn_meta>\nDate: [\d-]+\nWorkspace: \S+\n<\/turn_meta>\n\ngo$/,
  );
  expect(brokenPrefix(asked)).toBeUndefined();
});
