import { expect, setDefaultTimeout, test } from "bun:test";
import { bodyOf, exec, useServer } from "../support/exec.ts";
import { answers, calls, type FakeTurn, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { type Asked, brokenPrefix, play, results, rolesOf } from "./session.ts";

setDefaultTimeout(120_000);

const both = (name: string): FakeTurn =>
  answers(
    { type: "text", text: "Two at once." },
    { type: "call", name, input: { command: "sleep 0.3; echo FIRST" } },
    { type: "call", name, input: { command: "echo SECOND" } },
  );

/** Results are lists of texts in some harnesses. */
function texts(asked: Asked): unknown[] {
  return results(asked).map((content) =>
    Array.isArray(content) ? content.map((part: { text: string }) => part.text) : content,
  );
}

const FAILED = "<system>ERROR: Tool execution failed.</system>\n";

test("kimi-code: searches tell their time also when they fail", async () => {
  await using home = await tempHome();
  const asked = await play(home, "kimi-code", [
    calls("Grep", { pattern: "((" }),
    calls("Grep", { pattern: "x", path: "none" }),
    calls("Glob", { pattern: "*", path: "none" }),
    calls("Glob", { path: "none" }),
    says("done"),
  ]);
  const failed = /^Wall time: \d+\.\d{3} seconds\n<system>ERROR: Tool execution failed\.<\/system>\n/;
  expect(results(asked).map((text) => String(text).replace(failed, "FAILED "))).toEqual([
    expect.stringMatching(/^FAILED the pattern is not a regular expression/),
    `FAILED ${home.cwd}/none does not exist`,
    `FAILED ${home.cwd}/none does not exist`,
    "FAILED These arguments don't fit the tool \"Glob\": must have required property 'pattern'; call it again with arguments that fit its schema.",
  ]);
});

test("kimi-code: a session with good and bad calls, as its model knows it", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "alpha\nsame\nsame\n");
  const edit = (old_string: string) => calls("Edit", { path, old_string, new_string: "omega" });
  const asked = await play(home, "kimi-code", [
    calls("Bash", { command: "echo hello; echo warn >&2" }),
    calls("Bash", { command: "echo out; exit 3" }),
    calls("Bash", { command: "true" }),
    calls("Bash", { command: "pwd", cwd: "/" }),
    calls("Read", { path }),
    calls("Read", { path, line_offset: -1 }),
    calls("Read", { path: "none.bin" }),
    edit("alpha"),
    edit("beta"),
    edit("same"),
    calls("Write", { path: "new/b.txt", content: "one\n" }),
    calls("Write", { path: "new/b.txt", content: "two\n", mode: "append" }),
    both("Bash"),
    calls("TodoList", { todos: [{ title: "look", status: "done" }] }),
    calls("TodoList", {}),
    calls("Glob", { pattern: "new/*.txt" }),
    calls("Grep", { pattern: "same" }),
    calls("Grep", { pattern: "same", output_mode: "content", head_limit: 1, offset: 1 }),
    calls("Grep", { pattern: "same", output_mode: "count_matches", type: "md" }),
    calls("Nonsense", { x: 1 }),
    calls("Bash", { cmd: "ls" }),
    says("done"),
  ]);
  const wall = (text: string) =>
    expect.stringMatching(new RegExp(`^Wall time: \\d+\\.\\d{3} seconds\\n${RegExp.escape(text)}$`));
  expect(results(asked)).toEqual([
    wall("hello\nwarn\n"),
    wall(`${FAILED}out\nCommand failed with exit code: 3.`),
    wall("The command has run and wrote nothing."),
    wall("/\n"),
    "1\talpha\n2\tsame\n3\tsame\n<system>3 lines read, from line 1 of 3. Effective max_chars: 100000. The end of the file is reached.</system>",
    "3\tsame\n<system>1 lines read, from line 3 of 3. Effective max_chars: 100000. The end of the file is reached.</system>",
    `${FAILED}"${home.cwd}/none.bin" does not exist.`,
    `Replaced 1 occurrence in ${path}`,
    expect.stringMatching(/^<system>ERROR: Tool execution failed\.<\/system>\nold_string [^\n]+\n$/),
    expect.stringMatching(
      /^<system>ERROR: Tool execution failed\.<\/system>\nold_string [^\n]+ 2 times [^\n]+$/,
    ),
    `Wrote 4 bytes to ${home.cwd}/new/b.txt`,
    `Added 4 bytes to ${home.cwd}/new/b.txt`,
    wall("FIRST\n"),
    wall("SECOND\n"),
    "The list is replaced.\nCurrent todo list:\n  [done] look\n\nGo on with the step that is in progress, and change the list as soon as it is done.",
    "Current todo list:\n  [done] look",
    wall("new/b.txt"),
    wall("a.txt"),
    wall("a.txt:3:same"),
    wall("No matches found"),
    `${FAILED}Tool "Nonsense" is not there; use one of those that were offered.`,
    wall(
      `${FAILED}These arguments don't fit the tool "Bash": must have required property 'command'; call it again with arguments that fit its schema.`,
    ),
  ]);
  expect(await Bun.file(path).text()).toBe("omega\nsame\nsame\n");
  expect(rolesOf(asked).slice(0, 6)).toEqual(["system", "user", "user", "user", "assistant", "tool"]);
  expect(asked.messages.at(-1)?.[4]?.["reasoning_content"]).toBe("");
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("kimi-code: a command that takes too long goes on in the background and is heard of when it ends", async () => {
  await using home = await tempHome();
  const asked = await play(home, "kimi-code", [
    calls("Bash", { command: "echo begun; until [ -e go ]; do sleep 0.05; done; echo ended", timeout: 1 }),
    calls("TaskList", {}),
    calls("Bash", { command: "touch go" }),
    ({ body }) =>
      calls("WaitFor", { timeout: 30, task_id: /task_id: (\d+)/.exec(JSON.stringify(body))?.[1] }),
    calls("WaitFor", { timeout: 600 }),
    calls("TaskList", { active_only: false }),
    calls("WaitFor", { timeout: 1, task_id: "7" }),
    says("done"),
  ]);
  const [started, listed, , waited, idle, ended, unknown] = results(asked).map(String);
  const id = /\ntask_id: (\d+)\npid: \d+\ndescription: echo begun[^\n]+\nstatus: running\n/.exec(
    started ?? "",
  )?.[1];
  expect(listed).toMatch(new RegExp(`^active_tasks: 1\n\ntask_id: ${id}\nkind: command\nstatus: running\n`));
  expect(waited).toMatch(new RegExp(`^Task ${id} has ended`));
  expect(idle).toBe("Nothing runs in the background, and no prompt is kept");
  expect(ended).toContain(`task_id: ${id}\nkind: command\nstatus: ended with exit code 0\n`);
  expect(unknown).toBe(`${FAILED}there is no task 7`);
  const notice = (asked.messages.at(-1) ?? []).filter(
    ({ content }) => typeof content === "string" && content.startsWith("<notification "),
  );
  expect(notice.map(({ role }) => role)).toEqual(["user"]);
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("kimi-code: the report of a helper in the background is waited for before the turn ends", async () => {
  await using home = await tempHome();
  const asked = await play(home, "kimi-code", [
    calls("Agent", { prompt: "Look.", description: "look", run_in_background: true }, "call_7"),
    // The parent and its helper ask at the same time: whoever comes is told the same.
    says("either of them"),
    says("either of them"),
    says("done"),
  ]);
  const last = asked.messages.at(-1)?.at(-1);
  expect(last?.role).toBe("user");
  expect(last?.content).toContain("Title: background task call_7 has ended with exit code 0");
});

test("kimi-code: a swarm works on each item, and its helpers have no swarm", async () => {
  await using home = await tempHome();
  const asked = await play(home, "kimi-code", [
    calls("AgentSwarm", { description: "d", prompt_template: "Look at {{item}}.", items: ["$&"] }, "call_7"),
    says("It is fine."),
    calls("AgentSwarm", { description: "d", resume_agent_ids: { "call_7-1": "Why?" } }, "call_8"),
    says("It was tested."),
    calls("AgentSwarm", { description: "d", prompt_template: "Look.", items: ["a"] }),
    says("done"),
  ]);
  expect(asked.messages[1]?.[1]?.content).toBe("Look at $&.");
  expect(asked.tools[1]).not.toContain("AgentSwarm");
  expect(asked.messages[3]?.filter(({ role }) => role === "user").at(-1)?.content).toBe("Why?");
  expect(results(asked)).toEqual([
    '<summary>completed: 1, failed: 0</summary>\n<agent id="call_7-1" outcome="completed">\nIt is fine.\n</agent>',
    '<summary>completed: 1, failed: 0</summary>\n<agent id="call_7-1" outcome="completed">\nIt was tested.\n</agent>',
    `${FAILED}the prompt template has no {{item}} in it`,
  ]);
});

test("kimi-code: a goal sends the model on until it is complete or its budget is used up", async () => {
  await using home = await tempHome();
  const asked = await play(home, "kimi-code", [
    calls("GetGoal", {}),
    calls("CreateGoal", { objective: "green tests", completionCriterion: "bun test passes" }),
    says("I stop."),
    calls("UpdateGoal", { status: "complete" }),
    calls("CreateGoal", { objective: "more" }),
    calls("SetGoalBudget", { value: 1, unit: "turns" }),
    says("I stop again."),
    says("And again."),
  ]);
  expect(asked.messages).toHaveLength(8);
  const users = (asked.messages.at(-1) ?? [])
    .filter(({ role }) => role === "user")
    .map(({ content }) => content);
  expect(users.slice(3)).toEqual([
    expect.stringContaining("still open: green tests It is complete when: bun test passes\n"),
    expect.stringContaining("still open: more\n"),
  ]);
  expect(results(asked)).toEqual([
    "No goal is set",
    "objective: green tests\ncomplete when: bun test passes\nstatus: active\nsent on: 0 times",
    "objective: green tests\ncomplete when: bun test passes\nstatus: complete\nsent on: 1 times",
    "objective: more\nstatus: active\nsent on: 0 times",
    "objective: more\nstatus: active\nsent on: 0 times\nbudget: 0 of 1 turns used",
  ]);
});

test("kimi-code: kept prompts are listed and deleted, and a time that never comes is refused", async () => {
  await using home = await tempHome();
  const asked = await play(home, "kimi-code", [
    calls("CronCreate", { cron: "0 9 1 1 *", prompt: "Happy new year" }),
    calls("CronList", {}),
    calls("CronCreate", { cron: "0 9 31 2 *", prompt: "never" }),
    calls("CronCreate", { cron: "61 * * * *", prompt: "wrong" }),
    calls("CronDelete", { id: "nothing" }),
    says("done"),
  ]);
  const [created, listed, ...refused] = results(asked).map(String);
  expect(created).toMatch(
    /^id: [0-9a-f]{8}\ncron: 0 9 1 1 \*\nrecurring: true\nnext: \d{4}-01-01 09:00\nprompt: Happy new year$/,
  );
  expect(listed).toBe(String(created));
  expect(refused).toEqual([
    `${FAILED}"0 9 31 2 *" names no time in the next five years`,
    `${FAILED}"61 * * * *" has a field that is not a number, list, range or step within its bounds`,
    `${FAILED}there is no scheduled prompt nothing`,
  ]);
});

test("kimi-code: of a long output the model sees both ends, and where all of it is", async () => {
  await using home = await tempHome();
  const asked = await play(home, "kimi-code", [
    calls("Bash", { command: "seq 1 20000" }, "c7"),
    says("done"),
  ]);
  expect(String(results(asked)[0])).toMatch(
    /^Wall time: [\d.]+ seconds\n[^\n]+ 50000 [^\n]+\ntool_name: Bash\ntool_call_id: c7\noutput_size_chars: 108894\noutput_size_bytes: 108894\noutput_path: \S+\nnext_step: [^\n]+\nIts beginning:\n1\n2\n[\d\n]+\n\.\.\.\nIts end:\n[\d\n]+\n20000\nexit code: 0$/,
  );
});

test("kimi-code: an answer may be as long as the window has room, and no longer than 262144 tokens", async () => {
  await using home = await tempHome();
  const limits = async (window: number) => {
    await using server = startFakeServer([says("done")]);
    const more = `harness = "kimi-code"\nmodel_context_window = ${window}`;
    await useServer(home, server, { wire: "chat", more });
    await exec(home, ["go"]);
    const { max_completion_tokens: limit } = bodyOf(server, 0);
    return Number(limit);
  };
  expect(await limits(1_000_000)).toBe(262_144);
  const small = await limits(60_000);
  expect(small).toBeGreaterThan(50_000);
  expect(small).toBeLessThan(60_000);
});

test("kimi-cli: a session with good and bad calls, as its model knows it", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "alpha\nsame\nsame\n");
  const edit = (edits: unknown) => calls("StrReplaceFile", { path, edit: edits });
  const asked = await play(home, "kimi-cli", [
    calls("Shell", { command: "echo hello; echo warn >&2" }),
    calls("Shell", { command: "echo out; exit 3" }),
    calls("Shell", { command: "true" }),
    calls("Shell", { command: "echo begun; sleep 60", timeout: 3 }),
    calls("ReadFile", { path }),
    calls("ReadFile", { path, line_offset: 2, n_lines: 1 }),
    calls("ReadFile", { path: `${home.cwd}/none.bin` }),
    edit({ old: "alpha", new: "ALPHA" }),
    edit([
      { old: "ALPHA", new: "omega" },
      { old: "omega\nsame", new: "omega\nother" },
    ]),
    edit({ old: "beta", new: "x" }),
    calls("WriteFile", { path: "new/b.txt", content: "one\n" }),
    both("Shell"),
    calls("SetTodoList", { todos: [{ title: "look", status: "in_progress" }] }),
    calls("SetTodoList", { todos: null }),
    calls("Glob", { pattern: "n*" }),
    calls("Grep", { pattern: "other", output_mode: "content" }),
    calls("EnterPlanMode", {}),
    calls("WriteFile", { path: "c.txt", content: "x" }),
    calls("ExitPlanMode", {}),
    calls("Nonsense", {}),
    calls("Shell", {}),
    says("done"),
  ]);
  const ran = "<system>The command has run.</system>";
  expect(texts(asked)).toEqual([
    [ran, "hello\nwarn\n"],
    ["<system>ERROR: Command failed with exit code: 3.</system>", "out\n"],
    [ran],
    ["<system>ERROR: The command was ended because it ran longer than 3000 ms.</system>", "begun\n"],
    [
      "<system>3 lines read, from line 1 of 3. The end of the file is reached.</system>",
      "     1\talpha\n     2\tsame\n     3\tsame\n",
    ],
    ["<system>1 lines read, from line 2 of 3. Go on with line_offset 3.</system>", "     2\tsame\n"],
    [`<system>ERROR: \`${home.cwd}/none.bin\` does not exist.</system>`],
    [`<system>The file ${path} is changed by 1 edit(s) with 1 replacement(s).</system>`],
    [`<system>The file ${path} is changed by 2 edit(s) with 2 replacement(s).</system>`],
    [expect.stringMatching(/^<system>ERROR: [^\n]+<\/system>$/)],
    [`<system>The file ${home.cwd}/new/b.txt is written (4 bytes).</system>`],
    [ran, "FIRST\n"],
    [ran, "SECOND\n"],
    ["<system>The todo list is replaced.</system>", "  [in_progress] look"],
    ["<system>The todo list as it stands.</system>", "  [in_progress] look"],
    ["<system>1 paths match.</system>", "new"],
    ["<system>1 matches in 1 files.</system>", "a.txt:2:other"],
    [expect.stringMatching(/^<system>You are planning now\. /)],
    [expect.stringMatching(/^<system>ERROR: nothing is changed while you plan/)],
    [expect.stringMatching(/^<system>Nobody can be asked in this run/)],
    ["<system>ERROR: there is no tool Nonsense; use one of those that were offered.</system>"],
    [
      "<system>ERROR: Shell can't run with these arguments: failed to parse function arguments: missing field `command`</system>",
    ],
  ]);
  expect(await Bun.file(path).text()).toBe("omega\nother\nsame\n");
  expect(rolesOf(asked).slice(0, 4)).toEqual(["system", "user", "assistant", "tool"]);
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("qwen-code: a session with good and bad calls, as its model knows it", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "alpha\nsame\nsame\n");
  const edit = (old_string: string) => calls("edit", { file_path: path, old_string, new_string: "omega" });
  const shell = (command: string, more: object = {}) => calls("run_shell_command", { command, ...more });
  const asked = await play(home, "qwen-code", [
    shell("echo hello; echo warn >&2"),
    shell("exit 3", { directory: "/" }),
    shell("sleep 10"),
    shell("echo begun; sleep 60", { timeout: 3000 }),
    edit("alpha"),
    calls("read_file", { file_path: path }),
    calls("read_file", { file_path: path, offset: 1, limit: 1 }),
    calls("read_file", { file_path: `${home.cwd}/none.bin`, offset: null, limit: null }),
    edit("alpha"),
    edit("beta"),
    edit("same"),
    calls("write_file", { file_path: `${home.cwd}/b.txt`, content: "one\n" }),
    both("run_shell_command"),
    calls("glob", { pattern: "a*" }),
    calls("grep_search", { pattern: "same" }),
    calls("get_goal", {}),
    calls("list_agents", {}),
    calls("update_goal", { status: "complete", reason: "r" }),
    calls("nonsense", { x: 1 }),
    calls("run_shell_command", { cmd: "ls" }),
    says("done"),
  ]);
  const report = (command: string, output: string, code = 0, folder = "(root)") =>
    `Command: ${command}\nDirectory: ${folder}\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: (none)`;
  expect(texts(asked).map((parts) => (Array.isArray(parts) ? parts.join("|") : parts))).toEqual([
    report("echo hello; echo warn >&2", "hello\nwarn"),
    report("exit 3", "(empty)", 3, "/"),
    expect.stringMatching(/^Blocked: [^\n]+$/),
    "The command was ended because it ran longer than 3000 ms. Until then it wrote:\nbegun",
    `${path} has not been read yet; read it before editing it`,
    "alpha\nsame\nsame\n",
    "Showing lines 2-2 of 4 total lines.\n\n---\n\nsame",
    `There is no such file: ${home.cwd}/none.bin`,
    `The file: ${path} has been changed. Showing lines 1-4 of 4 from its new text:\n\n---\n\nomega\nsame\nsame\n`,
    expect.stringMatching(/^Nothing was changed in \S+a\.txt\. [^\n]+$/),
    expect.stringMatching(/^Nothing was changed: [^\n]+ 2 times [^\n]+$/),
    `The new file has been written: ${home.cwd}/b.txt`,
    report("sleep 0.3; echo FIRST", "FIRST"),
    report("echo SECOND", "SECOND"),
    `Found 1 file(s) matching "a*" in ${home.cwd}, newest first:\n---\n${path}`,
    expect.stringMatching(
      /^Found 2 matches for pattern "same" in \S+:\n---\nFile: a\.txt\nL2: same\nL3: same\n---$/,
    ),
    "No goal is set",
    expect.any(String),
    "no goal is set",
    'Tool "nonsense" is not there; use one of those that were offered, or look for one with tool_search.',
    "params must have required property 'command'",
  ]);
  expect(rolesOf(asked).slice(0, 4)).toEqual(["system", "user", "assistant", "tool"]);
  expect(asked.messages.at(-1)?.[2]?.content).toBeNull();
  expect(brokenPrefix(asked)).toBeUndefined();
});

test("qwen-code: what is kept back is found by search and called by name, and the list of tools stays the same", async () => {
  await using home = await tempHome();
  await home.write("a.txt", "x");
  const asked = await play(home, "qwen-code", [
    calls("tool_search", { query: "select:todo_write,web_fetch" }),
    calls("tool_call", {
      name: "todo_write",
      arguments: { todos: [{ content: "look", status: "pending" }] },
    }),
    calls("tool_call", { name: "list_directory", arguments: {} }),
    calls("list_directory", { path: home.cwd }),
    calls("tool_call", { name: "nonsense", arguments: {} }),
    calls("tool_call", { arguments: {} }),
    calls("tool_call", { name: "tool_call", arguments: { name: "x", arguments: {} } }),
    says("done"),
  ]);
  const [found, ...rest] = texts(asked).map(String);
  expect(found).toMatch(/^Call one of these with tool_call:\n[\s\S]*todo_write[\s\S]*web_fetch/);
  expect(rest).toEqual([
    'The list is replaced:\n[{"content":"look","status":"pending"}]',
    "params must have required property 'path'",
    `Directory listing for ${home.cwd}:\n---\na.txt`,
    'Tool "nonsense" is not there; use one of those that were offered, or look for one with tool_search.',
    "params must have required property 'name'",
    "params tool_call can't call itself",
  ]);
  expect(asked.tools.at(-1)).toEqual(asked.tools[0] ?? []);
});

test("qwen-code: a cell of a notebook is replaced, added and removed", async () => {
  await using home = await tempHome();
  const cell = (id: string, source: string) => ({
    id,
    cell_type: "code",
    metadata: {},
    source: [source],
    outputs: [1],
  });
  const notebook = { cells: [cell("a", "1"), cell("b", "2")], nbformat: 4 };
  const path = await home.write("n.ipynb", `${JSON.stringify(notebook, null, 1)}\n`);
  const edit = (input: object) => calls("notebook_edit", { notebook_path: path, ...input });
  const asked = await play(home, "qwen-code", [
    edit({ cell_id: "a", new_source: "x\ny" }),
    edit({ cell_id: "cell-1", edit_mode: "delete" }),
    edit({ cell_id: "a", new_source: "# t", cell_type: "markdown", edit_mode: "insert" }),
    edit({ cell_id: "zz", new_source: "x" }),
    edit({ new_source: "x" }),
    says("done"),
  ]);
  expect(texts(asked)).toEqual([
    [`Edited ${path}: cell a was replaced`],
    [`Edited ${path}: cell cell-1 was removed`],
    [`Edited ${path}: a cell was added`],
    [`${path}: there is no cell zz among its 2 cells`],
    [`${path}: cell_id is missing: it says which cell is meant`],
  ]);
  expect(JSON.parse(await Bun.file(path).text())).toEqual({
    cells: [
      {
        id: "a",
        cell_type: "code",
        metadata: {},
        source: ["x\n", "y"],
        outputs: [],
        execution_count: null,
      },
      { id: expect.any(String), cell_type: "markdown", metadata: {}, source: ["# t"] },
    ],
    nbformat: 4,
  });
});
