import { expect, test } from "bun:test";
import type { ReplyPiece } from "../../../src/model/text-calls/reply-reader.ts";
import { outcomeOf, readCut, readerFor, type Vector } from "./vectors.ts";

const TOOLS: Vector["tools"] = [
  { name: "run_shell", parameters: { cmd: "string", timeout_s: "integer" } },
  { name: "write_text", parameters: { path: "string", body: "string" } },
];
const CALL = '<tool_call>\n{"name": "run_shell", "arguments": {"cmd": "ls"}}\n</tool_call>';
const LS = { name: "run_shell", arguments: { cmd: "ls" } };

function read(text: string, tools = TOOLS) {
  return readCut({ id: "", family: "", tools, text, expect: { calls: [], shown: "" } }, []);
}

/** What is visible after each piece, before the end. */
function shownAfter(...deltas: string[]): string[] {
  const reader = readerFor({ tools: TOOLS });
  return deltas.map((delta) => outcomeOf(reader.push(delta)).shown);
}

test("text is shown as it comes", () => {
  expect(shownAfter("Hello", " wor", "ld.\n", "a b\n\n", "- one")).toEqual([
    "Hello",
    " wor",
    "ld.\n",
    "a b\n\n",
    "- one",
  ]);
});

test("only what may become a mark waits, and no longer than that", () => {
  expect(
    shownAfter("if a <", " b and c <d", ", <tool_", "bar> [1", "] x[TOOL", "] `<tool_call>", "` <", "/p>"),
  ).toEqual(["if a ", "< b and c ", "<d, ", "<tool_bar> [1", "] x", "[TOOL] `<tool_call>", "` ", "</p>"]);
});

test("a tag that is only mentioned is given back with the next word", () => {
  expect(shownAfter("The tag <tool_call>", " opens", " a call, <function_calls> too much")).toEqual([
    "The tag ",
    "",
    "<tool_call> opens a call, <function_calls> too much",
  ]);
});

test("code is shown while it is written", () => {
  expect(shownAfter("Use:\n```xml\n", "<tool_call>{", '"name"', "\n```\n")).toEqual([
    "Use:\n```xml\n",
    "<tool_call>{",
    '"name"',
    "\n```\n",
  ]);
});

test("JSON that can't be a call is shown from its first key on", () => {
  expect(shownAfter('{"items', '": [1,', " 2]}")).toEqual(["", '{"items": [1,', " 2]}"]);
  expect(shownAfter('{"name": "somebody', '", "arg', 'uments": 1}')).toEqual([
    "",
    '{"name": "somebody", "arg',
    'uments": 1}',
  ]);
});

test("markup inside an answer in JSON is data", () => {
  const text = `{"note": "<tool_call><function=run_shell><parameter=cmd>rm</parameter></function></tool_call>"}`;
  expect(read(text)).toEqual({ calls: [], shown: text, reasoning: "" });
});

test("a value may show a whole call of the same form", () => {
  const shown =
    "Example:\n<tool_call>\n<function=run_shell>\n<parameter=cmd>\nls\n</parameter>\n</function>\n</tool_call>\nDone.";
  const text = `<tool_call>\n<function=write_text>\n<parameter=path>\na.md\n</parameter>\n<parameter=body>\n${shown}\n</parameter>\n</function>\n</tool_call>`;
  expect(read(text).calls).toEqual([{ name: "write_text", arguments: { path: "a.md", body: shown } }]);
  for (let length = 1; length < text.length; length++) {
    const { calls } = read(text.slice(0, length));
    const isWhole = calls.length === 0 || Bun.deepEquals(calls, read(text).calls);
    expect([length, isWhole]).toEqual([length, true]);
  }
});

test("a value may show a call inside a line", () => {
  const cmd = "echo '<function=run_shell><parameter=cmd>ls</parameter></function>' > a.txt";
  const text = `<tool_call><function=run_shell><parameter=cmd>${cmd}</parameter></function></tool_call>`;
  expect(read(text).calls).toEqual([{ name: "run_shell", arguments: { cmd } }]);
});

test("what a call of an unknown tool holds is not run", () => {
  const text = `<tool_call><function=save><parameter=text>${CALL} </parameter></function></tool_call>`;
  expect(read(text)).toEqual({ calls: [], shown: text, reasoning: "" });
});

test("a broken call is not searched for others", () => {
  const inner = "<tool_call><function=run_shell><parameter=cmd>rm</parameter></function></tool_call>";
  const text = `<tool_call>{"name": "write_text", "arguments": {"body": "${inner}" oops}}`;
  expect(read(text)).toEqual({ calls: [], shown: text, reasoning: "" });
});

test("an answer that was cut inside a call runs nothing that the call shows", () => {
  const text = `<tool_call><function=write_text><parameter=body>\n${CALL}\nand more`;
  expect(read(text)).toEqual({ calls: [], shown: text, reasoning: "" });
});

test("a call is found right after one that was refuted", () => {
  expect(read(`Begin with <tool_call> and go: ${CALL}`)).toEqual({
    calls: [LS],
    shown: "Begin with <tool_call> and go: ",
    reasoning: "",
  });
});

test("a fence after a mention of a tag is an example", () => {
  const text = `It opens with <tool_call>\n\`\`\`json\n{"name": "run_shell", "arguments": {"cmd": "ls"}}\n\`\`\`\nand so on.`;
  expect(read(text)).toEqual({ calls: [], shown: text, reasoning: "" });
});

test("in a thought that the prompt opened, a call is one only at its end and when nothing follows", () => {
  const thought = `I could do\n${CALL}\n`;
  expect(read(`${thought}but no.\n</think>\nNothing to do.`)).toEqual({
    calls: [],
    shown: "\nNothing to do.".trim(),
    reasoning: `${thought}but no.\n`,
  });
  expect(read(`${thought}</think>\nNothing to do.`)).toEqual({
    calls: [],
    shown: "Nothing to do.",
    reasoning: thought.trimEnd(),
  });
  expect(read(`${thought}</think>\n`)).toEqual({ calls: [LS], shown: "", reasoning: "I could do\n" });
});

test("two calls at the end of a thought are one end", () => {
  expect(read(`<think>go\n${CALL}\n${CALL}\n</think>`)).toEqual({
    calls: [LS, LS],
    shown: "",
    reasoning: "go\n",
  });
});

test("a call in the reasoning field counts when the answer is empty", () => {
  const run = (...answer: string[]) => {
    const reader = readerFor({ tools: TOOLS });
    const pieces = [...reader.pushReasoning("I run\n"), ...reader.pushReasoning(CALL)];
    for (const delta of answer) pieces.push(...reader.push(delta));
    return outcomeOf([...pieces, ...reader.end()]);
  };
  expect(run()).toEqual({ calls: [LS], shown: "", reasoning: "I run\n" });
  expect(run("\n")).toEqual({ calls: [LS], shown: "\n", reasoning: "I run\n" });
  expect(run("No", " need.")).toEqual({ calls: [], shown: "No need.", reasoning: `I run\n${CALL}` });
  expect(run(CALL)).toEqual({ calls: [LS], shown: "", reasoning: `I run\n${CALL}` });
});

test("a section that is opened in the reasoning and closed in the answer leaves nothing behind", () => {
  const reader = readerFor({ tools: TOOLS });
  const pieces = [
    ...reader.pushReasoning(
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.run_shell:7<|tool_call_argument_begin|>{"cmd": "ls"}',
    ),
    ...reader.push("<|tool_call_end|><|tool_calls_section_end|>"),
    ...reader.end(),
  ];
  expect(pieces).toEqual([{ kind: "call", ...LS, id: "functions.run_shell:7" }]);
});

test("when the server found calls itself, markup is left out and not run", () => {
  const reader = readerFor({ tools: TOOLS });
  const pieces = [...reader.push(`On it.\n${CALL}`), ...reader.end({ hasNativeCalls: true })];
  expect(outcomeOf(pieces)).toEqual({ calls: [], shown: "On it.\n", reasoning: "" });
});

test("beside calls that can run, calls of unknown tools are named", () => {
  const text =
    '<tool_calls>[{"name": "fly", "arguments": {"to": "x"}}, {"name": "run_shell", "arguments": {"cmd": "ls"}}]</tool_calls>';
  const reader = readerFor({ tools: TOOLS });
  const pieces: ReplyPiece[] = [...reader.push(text), ...reader.end()];
  expect(pieces).toEqual([
    { kind: "call", ...LS },
    { kind: "refused", name: "fly", arguments: { to: "x" } },
  ]);
});

test("without tools only thoughts are told apart", () => {
  expect(read(`<think>hm</think>\n${CALL}`, [])).toEqual({ calls: [], shown: CALL, reasoning: "hm" });
  expect(read('{"name": "run_shell", "arguments": {}}', [])).toEqual({
    calls: [],
    shown: '{"name": "run_shell", "arguments": {}}',
    reasoning: "",
  });
});

test("values get the types that the tool declares, and only those", () => {
  const tag = (cmd: string, timeout: string) =>
    `<function=run_shell><parameter=cmd>${cmd}</parameter><parameter=timeout_s>${timeout}</parameter></function>`;
  expect(read(tag("true", "5")).calls).toEqual([
    { name: "run_shell", arguments: { cmd: "true", timeout_s: 5 } },
  ]);
  expect(read(tag("null", "soon")).calls).toEqual([
    { name: "run_shell", arguments: { cmd: "null", timeout_s: "soon" } },
  ]);
});

test("names may carry what markup leaves around them, but are never guessed", () => {
  const named = (name: string) =>
    read(`<tool_call>{"name": "${name}", "arguments": {"cmd": "ls"}}</tool_call>`).calls.length;
  const names = [
    "functions.run_shell",
    "run_shell:3",
    "run_shell.run_shell",
    "run_shell<|channel|>commentary",
    " run_shell ",
  ];
  expect(names.map(named)).toEqual([1, 1, 1, 1, 1]);
  expect(["Run_Shell", "run-shell", "run_shel", "shell.run_shell", ""].map(named)).toEqual([0, 0, 0, 0, 0]);
});

test("keys such as __proto__ stay plain keys", () => {
  const [call] = read(
    '<tool_call>{"name": "run_shell", "arguments": {"__proto__": {"x": 1}}}</tool_call>',
  ).calls;
  expect(JSON.stringify(call?.arguments)).toBe('{"__proto__":{"x":1}}');
});
