import { expect, test } from "bun:test";
import { comparable, expected, outcomeOf, readCut, readerFor, VECTORS, type Vector } from "./vectors.ts";

const TOOLS: Vector["tools"] = [
  { name: "run_shell", parameters: { cmd: "string", timeout_s: "integer" } },
  { name: "write_text", parameters: { path: "string", body: "string", overwrite: "boolean" } },
];
const PIECES = [
  ...[
    "<tool_call>",
    "</tool_call>",
    "<tool_",
    "<function=run_shell>",
    "<function=write_text>",
    "</function>",
  ],
  ...["<parameter=cmd>", "</parameter>", '<invoke name="run_shell">', "</invoke>", "<function_calls>"],
  ...[
    '{"name": "run_shell", "arguments": {"cmd": "ls"}}',
    '{"name": "',
    '"arguments": {',
    "}",
    "]",
    '"',
    "'",
  ],
  ...[
    "[TOOL_CALLS]",
    "[run_shell(cmd=",
    "[THINK]",
    "[/THINK]",
    "<think>",
    "</think>",
    "`",
    "```json\n",
    "```",
  ],
  ...["<|tool_calls_section_begin|>", "<|tool_call_begin|>functions.run_shell:0", "<|tool_call_end|>", "<|"],
  ...[
    "<|tool_call_argument_begin|>",
    '<｜DSML｜invoke name="run_shell">',
    "<｜DSML｜",
    "]<]minimax[>[",
    "<|open|>",
  ],
  ...[
    "<|channel|>",
    "<|message|>",
    "to=functions.run_shell",
    "<|open|>tools<|sep|>",
    "<|close|>",
    "<arg_key>",
  ],
  ...[
    "run_shell",
    "functools[",
    ">>>",
    "\n",
    " ",
    "text",
    "é",
    "😀",
    "\\",
    "<escape>",
    '<|"|>',
    "<|im_end|>",
    "> ",
  ],
];

/** The same numbers each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function vectorOf(text: string, field?: "reasoning"): Vector {
  const own = field ? { field } : {};
  return { id: "made", family: "none", tools: TOOLS, text, expect: { calls: [], shown: "" }, ...own };
}

test("a cut answer gives no call that the whole one lacks, but for forms that need its end", () => {
  const needsEnd =
    /^(llama31-json|llama31-type|llama-array|llama4-|gemma3|xlam|functionary|json-|qwen3-call|neg-(json|mixed|two-fences|fence|rehearsed|schema|unclosed))|in-fence/;
  const odd: string[] = [];
  for (const vector of VECTORS.filter(({ id }) => !needsEnd.test(id))) {
    const wanted = expected(vector).calls.map((call) => JSON.stringify(call));
    for (let length = 1; length < vector.text.length; length++) {
      const { calls } = readCut({ ...vector, text: vector.text.slice(0, length) }, []);
      const isPrefix = calls.every((call, at) => JSON.stringify(call) === wanted[at]);
      if (!isPrefix) odd.push(`${vector.id} at ${length}: ${JSON.stringify(calls)}`);
    }
  }
  expect(odd).toEqual([]);
}, 120_000);

test("an answer cut by the token limit runs whole marked calls only", () => {
  const marked = '<tool_call>{"name": "run_shell", "arguments": {"cmd": "ls"}}</tool_call>';
  const bare = '{"name": "run_shell", "arguments": {"cmd": "ls"}}';
  const end = (text: string) => {
    const reader = readerFor({ tools: TOOLS });
    return outcomeOf([...reader.push(text), ...reader.end({ isCut: true })]);
  };
  const call = { name: "run_shell", arguments: { cmd: "ls" } };
  expect([end(marked), end(bare), end(`<think>${marked}`)]).toEqual([
    { calls: [call], shown: "", reasoning: "" },
    { calls: [], shown: bare, reasoning: "" },
    { calls: [], shown: "", reasoning: marked },
  ]);
});

test("answers made of markup at random read the same however they are cut", () => {
  const odd: string[] = [];
  for (let seed = 1; seed <= 400; seed++) {
    const next = random(seed);
    const text = Array.from({ length: 2 + next(14) }, () => PIECES[next(PIECES.length)]).join("");
    const vector = vectorOf(text, seed % 5 === 0 ? "reasoning" : undefined);
    const whole = JSON.stringify(readCut(vector, []));
    const each = Array.from({ length: text.length }, (_, at) => at);
    const some = each.filter(() => next(6) === 0);
    for (const cuts of [each, some]) {
      if (JSON.stringify(readCut(vector, cuts)) !== whole) odd.push(JSON.stringify(text));
    }
  }
  expect(odd).toEqual([]);
});

test("known answers read the same in random pieces", () => {
  const odd: string[] = [];
  for (const [index, vector] of VECTORS.entries()) {
    const next = random(index);
    for (let round = 0; round < 5; round++) {
      const cuts = Array.from({ length: vector.text.length }, (_, at) => at).filter(() => next(4) === 0);
      const found = comparable(readCut(vector, cuts), vector);
      if (!Bun.deepEquals(found, expected(vector))) odd.push(vector.id);
    }
  }
  expect(odd).toEqual([]);
});

test("nothing of an answer without calls is lost, whatever it is made of", () => {
  const odd: string[] = [];
  for (let seed = 1; seed <= 400; seed++) {
    const next = random(seed + 5000);
    const text = `Say: ${Array.from({ length: 1 + next(10) }, () => PIECES[next(PIECES.length)]).join("")} end.`;
    const { calls, shown, reasoning } = readCut(vectorOf(text), []);
    // Frames around text and the thoughts' own marks are left out by design.
    const isPlain = !/<\|(open|close|channel|start)\|>|THINK\]|think>/.test(text);
    if (calls.length === 0 && isPlain && (shown !== text || reasoning !== ""))
      odd.push(JSON.stringify([text, shown]));
  }
  expect(odd).toEqual([]);
});

const HOSTILE: readonly (readonly [start: string, piece: string])[] = [
  ["", "<tool_call>"],
  ["", "<tool_"],
  ["", "<｜"],
  ["", "["],
  ["x", "a </think> b "],
  ["x\n", "<function=write_text>\n<parameter=body>\n"],
  ["<think>", '<tool_call>{"name": "run_shell", "arguments": {"cmd": "'],
  ["<tool_call><function=write_text><parameter=body>", "</parameter>\n"],
  ["<tool_call>write_text<arg_key>body</arg_key><arg_value>", "</arg_value> <"],
  ['[TOOL_CALLS][{"name": "run_shell", "arguments": {"cmd": "', '", '],
  ["<|tool_calls_section_begin|>", "<|tool_call_begin|>functions.run_shell:0"],
  ["<|open|>tools<|sep|>", '<|open|>call tool="run_shell"<|sep|>'],
  [']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="run_shell">', "]<]minimax[>[<a>"],
  ["analysis", "assistant "],
  ["", '{"name": "run_shell", "arguments": {'],
  ["", "```json\n"],
  ["<|channel|>analysis<|message|>", "<|channel|>final"],
];
for (const [start, piece] of HOSTILE) {
  test(`a megabyte of ${JSON.stringify(piece)} after ${JSON.stringify(start)} is read to its end`, () => {
    const text = start + piece.repeat(Math.ceil(2 ** 20 / piece.length));
    const { calls, shown, reasoning } = readCut(vectorOf(text), [2 ** 19]);
    expect(calls).toEqual([]);
    expect(shown.length + reasoning.length).toBeGreaterThan(2 ** 18);
  }, 120_000);
}

test("a megabyte in 20,000 pieces is read", () => {
  const text = `<tool_call>\n<function=write_text>\n<parameter=body>\n${"if (a < b) { `x` } </parameter> \n".repeat(30_000)}`;
  const cuts = Array.from({ length: 20_000 }, (_, at) => Math.floor(((at + 1) * text.length) / 20_001));
  expect(readCut(vectorOf(text), cuts)).toEqual({ calls: [], shown: text, reasoning: "" });
}, 120_000);
