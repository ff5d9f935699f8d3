import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const TOOLS = [{ name: "run_shell", parameters: { cmd: "string" } }];
const CALL = '<tool_call>{"name": "run_shell", "arguments": {"cmd": "ls"}}</tool_call>';
const COMMAND = ["debug", "parse-reply"];

test("parse-reply prints the calls, the text and the reasoning of an answer", async () => {
  await using home = await tempHome();
  const stdin = JSON.stringify({ tools: TOOLS, text: `<think>hm</think>On it.${CALL}`, chunks: [4, 30] });
  const { exitCode, stdout, stderr } = await run(home, COMMAND, { stdin });
  expect([exitCode, stderr, JSON.parse(stdout)]).toEqual([
    0,
    "",
    { calls: [{ name: "run_shell", arguments: { cmd: "ls" } }], shown: "On it.", reasoning: "hm" },
  ]);
});

test("with --jsonl each line is an answer of its own, in the reasoning field if it says so", async () => {
  await using home = await tempHome();
  const schema = { type: "object", properties: { cmd: { type: "string" } } };
  const lines = [
    { tools: [{ name: "run_shell", parameters: schema }], text: CALL, field: "reasoning" },
    { tools: [], text: CALL },
  ];
  const stdin = `${lines.map((line) => JSON.stringify(line)).join("\n\n")}\n`;
  const { exitCode, events } = await run(home, [...COMMAND, "--jsonl"], { stdin });
  expect([exitCode, events]).toEqual([
    0,
    [
      { calls: [{ name: "run_shell", arguments: { cmd: "ls" } }], shown: "", reasoning: "" },
      { calls: [], shown: CALL, reasoning: "" },
    ],
  ]);
});

test("bad input is named with its line", async () => {
  await using home = await tempHome();
  const good = JSON.stringify({ tools: [], text: "a" });
  const failures = [
    await run(home, COMMAND, { stdin: "" }),
    await run(home, COMMAND, { stdin: '{"text": 1}' }),
    await run(home, COMMAND, { stdin: '{"tools": [], "text": "ab", "chunks": [2, 1]}' }),
    await run(home, [...COMMAND, "--jsonl"], { stdin: `${good}\n{oops\n` }),
  ];
  expect(failures.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1]);
  const heads = [
    "the input is not JSON",
    "the input is no answer",
    "the input: chunks must",
    "line 2 is not JSON",
  ];
  expect(failures.map(({ stderr }, at) => stderr.includes(heads[at] ?? "?"))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test("an unknown action is a mistake of use", async () => {
  await using home = await tempHome();
  expect((await run(home, ["debug", "parse"], { stdin: "" })).exitCode).toBe(2);
});

test("every known answer comes out of the command as it should", async () => {
  await using home = await tempHome();
  const file = join(import.meta.dir, "..", "fixtures", "tool-call-text", "vectors.json");
  const vectors: { id: string; expect: { calls: unknown[] } }[] = await Bun.file(file).json();
  const stdin = vectors.map((vector) => JSON.stringify(vector)).join("\n");
  const { events } = await run(home, [...COMMAND, "--jsonl"], { stdin });
  expect(events.map(({ calls }) => calls)).toEqual(vectors.map((vector) => vector.expect.calls));
});
