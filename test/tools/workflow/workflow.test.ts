import { expect, setDefaultTimeout, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { agentWork } from "../../../src/tools/agents/work.ts";
import { taskEnds } from "../../../src/tools/shell/task-ends.ts";
import { taskOutput } from "../../../src/tools/task-output.ts";
import { taskStop } from "../../../src/tools/task-stop.ts";
import type { AgentRunner, AgentTask } from "../../../src/tools/types.ts";
import { runScript } from "../../../src/tools/workflow/process.ts";
import { workflow } from "../../../src/tools/workflow/tool.ts";
import { NO_CHILDREN } from "../agent-runner.ts";
import { type Workbench, workbench } from "../files/workbench.ts";

setDefaultTimeout(120_000);

const META = `export const meta = { name: 'try', description: "a try" }\n`;

/** Agents that answer with what `answer` makes of their prompts; `sent` is what they heard later. */
function runner(answer: (task: AgentTask) => string | Promise<string>, later = "") {
  const tasks: AgentTask[] = [];
  const sent: string[] = [];
  const outcome = (text: string) => ({
    ok: !text.startsWith("failed"),
    text,
    toolCalls: 0,
    tokens: 0,
    durationMs: 0,
  });
  const agents: AgentRunner = {
    ...NO_CHILDREN,
    async run(task) {
      tasks.push(task);
      return outcome(await answer(task));
    },
    async send(_id, message) {
      sent.push(message);
      return { kind: "answered", ...outcome(later) };
    },
  };
  return { agents, tasks, sent };
}

/** Runs a script to its end; its report, and what the call said. */
async function play(bench: Workbench, agents: AgentRunner, input: Record<string, unknown>) {
  const { fields = {}, ok, content } = await bench.call(workflow, input, { agents });
  await Promise.all(bench.ctx.memory.get(agentWork).map(({ ended }) => ended));
  const file = String(fields["file"]);
  const report = ok && file ? await Bun.file(file).text() : JSON.stringify(content);
  return { report, runId: String(fields["runId"]), fields };
}

test("a script's agents work side by side, stages follow each other, and what it returns is the report", async () => {
  await using bench = await workbench();
  const { agents, tasks } = runner(({ prompt }) => `${prompt}!`);
  const script = `${META}
phase('Look');
const both = await parallel([() => agent('a', { label: 'first' }), () => agent('b')]);
const piped = await pipeline(args, (item) => agent(item), (before, item, at) => before + item + at);
log('seen', both.length);
return { both, piped };`;
  const { report } = await play(bench, agents, { script, args: ["x", "y"] });
  expect(report).toBe(
    `== Look\nseen 2\n\n${JSON.stringify({ both: ["a!", "b!"], piped: ["x!x0", "y!y1"] }, null, 2)}\n\n(4 agents were started)\n`,
  );
  expect(tasks.map(({ prompt, description }) => [prompt, description])).toEqual([
    ["a", "first"],
    ["b", undefined],
    ["x", undefined],
    ["y", undefined],
  ]);
  expect(bench.ctx.memory.get(taskEnds)).toMatchObject([
    { taskId: "call-1", exitCode: 0, command: "workflow try" },
  ]);
});

test("an answer has the wanted form, or is asked for again", async () => {
  await using bench = await workbench();
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const { agents, sent } = runner(() => "It is seven.", 'Sure: {"n": 7}');
  const script = `${META} return (await agent('how many', { schema: ${JSON.stringify(schema)} })).n + 1;`;
  expect((await play(bench, agents, { script })).report).toStartWith("8\n");
  expect(sent).toEqual(["That does not fit: it is not JSON. Answer with the JSON value alone."]);
});

test("what fails in parallel is null, and what is not caught ends the script", async () => {
  await using bench = await workbench();
  const { agents } = runner(() => "failed: no window");
  const script = `${META} return await parallel([() => agent('a')]);`;
  expect((await play(bench, agents, { script })).report).toBe(
    "Error: failed: no window\n\n[\n  null\n]\n\n(1 agents were started)\n",
  );
  const { report } = await play(bench, agents, { script: `${META} await agent('a');` });
  expect(report).toStartWith("the workflow failed: Error: failed: no window\n");
  const broken = await play(bench, agents, { script: `${META} return (;` });
  expect(broken.report).toContain("the workflow failed: SyntaxError");
});

test("a later run takes over the answers of an earlier one up to the first question that is new", async () => {
  await using bench = await workbench();
  const { agents, tasks } = runner(({ prompt }) => `${prompt}!`);
  const script = (second: string) =>
    `${META} return [await agent('a'), await agent('${second}'), await agent('c')];`;
  const { runId } = await play(bench, agents, { script: script("b") });
  const { report } = await play(bench, agents, { script: script("B"), resume: runId });
  expect(JSON.parse(report.slice(0, report.indexOf("]") + 1))).toEqual(["a!", "B!", "c!"]);
  expect(tasks.map(({ prompt }) => prompt)).toEqual(["a", "b", "c", "B", "c"]);
  expect((await play(bench, agents, { script: script("b"), resume: "wf_unknown" })).report).toContain(
    "this session has no run wf_unknown",
  );
});

test("a saved script is found by its name or path, and one that says nothing of itself is refused", async () => {
  const saved = `// mine\n${META} return 'saved';`;
  await using bench = await workbench({ ".openinterpreter/workflows/mine.js": saved, "other.js": saved });
  const { agents } = runner(() => "");
  expect((await play(bench, agents, { name: "mine" })).report).toStartWith("saved\n");
  expect((await play(bench, agents, { scriptPath: "other.js" })).report).toStartWith("saved\n");
  const refusal = (input: object) => bench.ask(workflow, input, { agents });
  expect(await refusal({ script: "return 1" })).toStartWith("a script begins with `export const meta");
  expect(await refusal({ name: "../mine" })).toStartWith("wanted a script");
  expect(await refusal({ scriptPath: "none.js" })).toContain("found none at");
  expect(await bench.ask(workflow, { script: saved })).toBe("an agent can't start further agents");
});

test("a run can be looked at and stopped", async () => {
  await using bench = await workbench();
  const asked = Promise.withResolvers<void>();
  const { agents } = runner(() => {
    asked.resolve();
    return new Promise(() => {});
  });
  await bench.call(workflow, { script: `${META} await agent('a');` }, { agents });
  await asked.promise;
  expect(await bench.ask(taskOutput, { taskId: "call-1", block: false })).toBe("Task call-1: still running");
  expect(await bench.ask(taskStop, { taskId: "call-1" })).toBe("Task call-1 was stopped");
  expect(await bench.ask(taskOutput, { taskId: "call-1" })).toContain(
    "Task call-1: failed\nthe workflow failed: ",
  );
});

test("what a script may touch is asked like a command, in words", async () => {
  await using bench = await workbench();
  const tool = workflow;
  const prepared = await tool.prepare({ script: `${META} return 1` }, { ...bench.ctx, ...runner(() => "") });
  expect("ready" in prepared && prepared.ready.subject).toEqual({
    kind: "command",
    argv: ["workflow", "try", "a try"],
    cwd: bench.cwd,
  });
});

test("what a project says to Bun is not heard, and its .env is not read", async () => {
  await using bench = await workbench({
    "bunfig.toml": 'preload = ["./first.js"]\n',
    "first.js": "globalThis.loaded = 'code of the project';",
    ".env": "FROM_PROJECT=yes\n",
  });
  const script = `${META} return [String(globalThis.loaded), String(process.env.FROM_PROJECT)].join();`;
  expect((await play(bench, runner(() => "").agents, { script })).report).toStartWith(
    "undefined,undefined\n",
  );
});

test("a script that speaks without end is ended, whichever way it speaks", async () => {
  await using bench = await workbench();
  const { agents } = runner(() => "");
  const line = `const text = 'x'.repeat(1 << 20);`;
  const tooMuch = /^the workflow failed: the script has said more than 32 MiB$/m;
  const unbroken = `${META}${line} for (;;) await new Promise((sent) => process.stdout.write(text, sent));`;
  expect((await play(bench, agents, { script: unbroken })).report).toMatch(tooMuch);
  const notes = `${META}${line} for (;;) { log(text); await Bun.sleep(0); }`;
  expect((await play(bench, agents, { script: notes })).report).toMatch(tooMuch);
  const errors = `${META}${line} for (let n = 0; n < 40; n++) await new Promise((sent) => process.stderr.write(text, sent)); process.exit(3);`;
  expect((await play(bench, agents, { script: errors })).report.length).toBeLessThan(3000);
});

test("a script that loops in silence is ended", async () => {
  await using bench = await workbench();
  const handlers = { agent: async () => null, note: () => {}, patienceMs: 1000 };
  expect(await runScript({ script: "for (;;) {}", args: null }, handlers, bench.ctx)).toEqual({
    ok: false,
    problem: "the script said nothing for 1 seconds",
  });
});

test("a script at a pipe or a device is not read", async () => {
  await using bench = await workbench();
  await symlink("/dev/zero", bench.path("zero.js"));
  await Bun.$`mkfifo pipe.js`.cwd(bench.cwd);
  const { agents } = runner(() => "");
  for (const scriptPath of ["zero.js", "pipe.js"])
    expect(await bench.ask(workflow, { scriptPath }, { agents })).toContain("found none at");
});
