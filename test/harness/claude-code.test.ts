import { expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { bodyOf, exec, execText, useServer } from "../support/exec.ts";
import {
  answers,
  calls,
  type FakeServer,
  type FakeTurn,
  says,
  startFakeServer,
} from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";

const OPEN = "--dangerously-bypass-approvals-and-sandbox";

setDefaultTimeout(120_000);

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: z.union([z.string(), z.array(z.unknown())]).optional(),
  is_error: z.boolean().optional(),
});
const Body = z.looseObject({
  system: z.array(z.looseObject({ text: z.string() })).optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Block)]) })),
});

function body(server: FakeServer, index: number) {
  return Body.parse(bodyOf(server, index));
}

/** The results of the last message that has any, as [text, is_error]. */
function lastResults(server: FakeServer): [unknown, boolean | undefined][] {
  const { messages } = body(server, server.requests.length - 1);
  const results = messages.map(({ content }) =>
    typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_result"),
  );
  return (results.findLast((some) => some.length > 0) ?? []).map(({ content, is_error }) => [
    content,
    is_error,
  ]);
}

/** What the model reads after this answer. */
async function resultsOf(home: TempHome, turn: FakeTurn, before: FakeTurn[] = [], harness = "claude-code") {
  await using server = startFakeServer([...before, turn, says("done")]);
  await useServer(home, server, { wire: "messages", more: `harness = "${harness}"` });
  expect((await exec(home, [OPEN, "go"])).exitCode).toBe(0);
  return lastResults(server);
}

test("a shell command's output is the whole result, a failure begins with its exit code", async () => {
  await using home = await tempHome();
  expect(await resultsOf(home, calls("Bash", { command: "echo hello; echo warn >&2" }))).toEqual([
    ["hello\nwarn", false],
  ]);
  expect(await resultsOf(home, calls("Bash", { command: "echo out; exit 3" }))).toEqual([
    ["Exit code 3\nout", true],
  ]);
  expect(await resultsOf(home, calls("Bash", { command: "true" }))).toEqual([
    ["(the command wrote nothing)", false],
  ]);
});

test("a command that takes too long is ended, and the model is told", async () => {
  await using home = await tempHome();
  expect(await resultsOf(home, calls("Bash", { command: "echo begun; sleep 60", timeout: 3000 }))).toEqual([
    ["Exit code 143\nThe command was ended because it ran longer than 3000 ms.\nbegun", true],
  ]);
});

test("long output goes to a file, of which the model sees the beginning", async () => {
  await using home = await tempHome();
  const [[text, isError] = []] = await resultsOf(home, calls("Bash", { command: "seq 1 20000" }));
  expect(String(text)).toMatch(
    /^<persisted-output>\nExit code 0\. The output is too long to be shown \(106\.3 KB\)\. All of it is in \S+\n\nIts beginning:\n1\n2\n[\d\n]+\n\.\.\.\n<\/persisted-output>$/,
  );
  expect(isError).toBe(false);
});

test("a file is read with numbers, and the empty line after its last line end is one of its own", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "one\ntwo\n");
  expect(await resultsOf(home, calls("Read", { file_path: path }))).toEqual([
    ["1\tone\n2\ttwo\n3\t", undefined],
  ]);
  expect(await resultsOf(home, calls("Read", { file_path: path, offset: 2, limit: 1 }))).toEqual([
    ["2\ttwo", undefined],
  ]);
  expect(await resultsOf(home, calls("Read", { file_path: `${home.cwd}/none` }))).toEqual([
    [`${home.cwd}/none does not exist (working folder: ${home.cwd}).`, true],
  ]);
});

test("an edit needs a text that stands there once, in a file that was read", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "alpha\nsame\nsame\n");
  const edit = (old_string: string) => calls("Edit", { file_path: path, old_string, new_string: "beta" });
  expect(await resultsOf(home, edit("alpha"))).toEqual([
    [`<tool_use_error>${path} has not been read yet; read it before editing it</tool_use_error>`, true],
  ]);
  expect(await resultsOf(home, edit("alpha"), [calls("Read", { file_path: path })])).toEqual([
    [`The file ${path} has been changed (1 replaced, first in line 1).`, undefined],
  ]);
  expect(await Bun.file(path).text()).toBe("beta\nsame\nsame\n");
});

test("an edit whose text is not there, or several times, says so with the text", async () => {
  await using home = await tempHome();
  const path = await home.write("a.txt", "alpha\nsame\nsame\n");
  const edit = (old_string: string) => calls("Edit", { file_path: path, old_string, new_string: "beta" });
  const read = [calls("Read", { file_path: path })];
  const [[none] = []] = await resultsOf(home, edit("omega"), read);
  expect(String(none)).toMatch(/^<tool_use_error>[^\n]+\nString: omega<\/tool_use_error>$/);
  const [[several] = []] = await resultsOf(home, edit("same"), read);
  expect(String(several)).toMatch(/^<tool_use_error>[^\n]+ 2 times [^\n]+\nString: same<\/tool_use_error>$/);
});

test("results of one answer come in the order in which the calls ended", async () => {
  await using home = await tempHome();
  // The first call waits until the second one's process is gone.
  const wait =
    "until [ -e pid ] && ! kill -0 $(cat pid) 2>/dev/null; do sleep 0.05; done; sleep 0.1; echo FIRST";
  const both = answers(
    { type: "call", name: "Bash", input: { command: wait } },
    { type: "call", name: "Bash", input: { command: "echo $$ > new; mv new pid; echo SECOND" } },
  );
  expect((await resultsOf(home, both)).map(([text]) => text)).toEqual(["SECOND", "FIRST"]);
});

test("a tool that does not exist and arguments that don't fit are answered as errors", async () => {
  await using home = await tempHome();
  const [[unknown, isError] = []] = await resultsOf(home, calls("Nonsense", { x: 1 }));
  expect(String(unknown)).toMatch(/^<tool_use_error>[^\n]+Nonsense[^\n]+<\/tool_use_error>$/);
  expect(isError).toBe(true);
  const [[wrong] = []] = await resultsOf(home, calls("Bash", { text: "ls" }));
  expect(String(wrong)).toMatch(
    /^<tool_use_error>InputValidationError: Bash [^\n]+\n[\s\S]+<\/tool_use_error>$/,
  );
});

test("the first message holds the rules, the repository and the prompt; the surroundings follow it", async () => {
  await using home = await tempHome();
  await home.write("AGENTS.md", "Use tabs.");
  await using server = startFakeServer([says("done"), says("again")]);
  const trust = `projects = { ${JSON.stringify(home.cwd)} = { trust_level = "trusted" } }`;
  await useServer(home, server, { wire: "messages", more: `harness = "claude-code"\n${trust}` });
  await exec(home, [OPEN, "go"]);
  await exec(home, [OPEN, "resume", "--last", "more"]);
  const { messages, system } = body(server, 0);
  const [first, surroundings] = messages;
  const texts = Array.isArray(first?.content) ? first.content.map(({ text = "" }) => text) : [];
  expect(texts.map((text) => /^<([\w-]+)/.exec(text)?.[1] ?? text)).toEqual([
    "system-reminder",
    "system-reminder",
    "system-reminder",
    "go",
  ]);
  expect(texts[0]).toContain("Use tabs.");
  expect([surroundings?.role, system?.length]).toEqual(["system", 3]);
  // What was sent once is sent the same for ever, or the server's cache is lost.
  const later = JSON.stringify(body(server, 1).messages).replaceAll(/,"cache_control":\{[^}]*\}/g, "");
  expect(later).toContain(JSON.stringify(texts[0]));
  expect(body(server, 1).messages.map(({ role }) => role)).toEqual(["user", "system", "assistant", "user"]);
});

test("a command in the background answers at once, and its end is told later", async () => {
  await using home = await tempHome();
  await home.write("wait.sh", "until [ -e go ]; do sleep 0.02; done; echo ready");
  await using server = startFakeServer([
    calls("Bash", { command: "sh wait.sh", run_in_background: true }),
    calls("Bash", { command: "touch go; sleep 1" }),
    says("done"),
  ]);
  await useServer(home, server, { wire: "messages", more: 'harness = "claude-code"' });
  await exec(home, [OPEN, "go"]);
  const said = JSON.stringify(body(server, 2).messages);
  expect(said).toMatch(/The command runs in the background as task \d+ \(process \d+\)/);
  expect(said).toMatch(
    /<system-reminder>[^"]*<output-file>[^<]+<\/output-file>\\n<status>exit code 0<\/status>/,
  );
});

test("a child agent has its own conversation, without agents of its own; its last message is the result", async () => {
  await using home = await tempHome();
  await home.write("a.txt", "secret word: plum\n");
  await using server = startFakeServer([
    calls("Agent", { description: "find it", prompt: "Find the word.", subagent_type: "Explore" }),
    calls("Bash", { command: "cat a.txt" }),
    says("The word is plum."),
    says("done"),
  ]);
  await useServer(home, server, { wire: "messages", more: 'harness = "claude-code"' });
  const { stderr } = await execText(home, [OPEN, "go"]);
  const child = body(server, 1);
  expect(child.tools?.map(({ name }) => name)).toEqual(["Bash", "Read"]);
  expect(child.messages.map(({ role }) => role)).toEqual(["user"]);
  expect(JSON.stringify(child.messages)).toContain("Find the word.");
  expect(lastResults(server)).toEqual([[[{ type: "text", text: "The word is plum." }], undefined]]);
  // People see what the child does; what it says is in the item that shows the call.
  expect(stderr.split("cat a.txt")).toHaveLength(2);
  expect(stderr).toContain("agents\nAgent Alder (done): Find the word.\nThe word is plum.\n");
});

test("zcode keeps a todo list, and reminds of it when it is left alone for long", async () => {
  await using home = await tempHome();
  const todos = [{ content: "look", status: "in_progress", priority: "high" }];
  const written = await resultsOf(home, calls("TodoWrite", { todos }), [], "zcode");
  expect(JSON.parse(String(written[0]?.[0]))).toEqual({
    oldTodos: [],
    todos,
    summary: { total: 1, pending: 0, inProgress: 1, completed: 0 },
  });
  await using server = startFakeServer([
    ...Array.from({ length: 10 }, (_, at) => calls("Bash", { command: `echo ${at}` })),
    says("done"),
  ]);
  await useServer(home, server, { wire: "messages", more: 'harness = "zcode"' });
  await exec(home, [OPEN, "go"]);
  const reminded = [9, 10].map((at) => body(server, at).messages.at(-1)?.role);
  expect(reminded).toEqual(["user", "system"]);
});

test("while zcode plans, files stay as they are", async () => {
  await using home = await tempHome();
  const write = calls("Write", { file_path: `${home.cwd}/new.txt`, content: "x" });
  const refused = await resultsOf(home, write, [calls("EnterPlanMode", {})], "zcode");
  expect(refused).toEqual([
    ["<tool_use_error>nothing is changed while you plan; hand the plan in first</tool_use_error>", true],
  ]);
  const planned = [calls("EnterPlanMode", {}), calls("ExitPlanMode", { plan: "write it" })];
  expect(await resultsOf(home, write, planned, "zcode")).toEqual([
    [`New file: ${home.cwd}/new.txt has been made.`, undefined],
  ]);
});

test("a session that is gone on with begins with what was sent before, byte for byte", async () => {
  await using home = await tempHome();
  const wait =
    "until [ -e pid ] && ! kill -0 $(cat pid) 2>/dev/null; do sleep 0.05; done; sleep 0.1; echo FIRST";
  await using server = startFakeServer([
    answers(
      { type: "call", name: "Bash", input: { command: wait } },
      { type: "call", name: "Bash", input: { command: "echo $$ > new; mv new pid; echo SECOND" } },
    ),
    says("done"),
    says("again"),
  ]);
  await useServer(home, server, { wire: "messages", more: 'harness = "claude-code"' });
  await exec(home, [OPEN, "go"]);
  await exec(home, [OPEN, "resume", "--last", "more"]);
  const sent = server.requests.map((_, at) => withoutMarks(body(server, at).messages));
  expect(sent.map(({ length }) => length)).toEqual([2, 4, 6]);
  for (const [at, messages] of sent.entries())
    expect(messages.slice(0, sent[at - 1]?.length ?? 0)).toEqual(sent[at - 1] ?? []);
});

/** Messages as a prompt cache compares them: marks move, and a single text may be sent as a string. */
function withoutMarks(messages: z.infer<typeof Body>["messages"]) {
  return messages.map(({ role, content }) => ({
    role,
    content:
      typeof content === "string"
        ? [{ type: "text", text: content }]
        : content.map(({ cache_control: _, ...block }) => block),
  }));
}
