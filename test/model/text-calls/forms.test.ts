import { expect, test } from "bun:test";
import { collapsed, readCut, type Vector } from "./vectors.ts";

const TOOLS: Vector["tools"] = [
  { name: "run_shell", parameters: { cmd: "string", timeout_s: "integer" } },
  { name: "read_text", parameters: { path: "string", count: "integer" } },
  { name: "set_plan", parameters: { steps: "array", note: "string" } },
];
const LS = { name: "run_shell", arguments: { cmd: "ls" } };
const A = { name: "read_text", arguments: { path: "a" } };

function read(text: string, cuts: readonly number[] = []): Required<Wanted> {
  const { calls, shown, reasoning } = readCut(
    { id: "", family: "", tools: TOOLS, text, expect: { calls: [], shown: "" } },
    cuts,
  );
  return { calls, shown: collapsed(shown), reasoning: collapsed(reasoning) };
}

type Wanted = { calls?: unknown[]; shown?: string; reasoning?: string };
const FORMS: readonly (readonly [title: string, text: string, wanted?: Wanted])[] = [
  [
    "Kimi without its first tokens",
    'functions.run_shell:0<|tool_call_argument_begin|>{"cmd": "ls"}<|tool_calls_section_end|>',
  ],
  [
    "Kimi without prefix and tokens",
    'run_shell:12<|tool_call_argument_begin|>{"cmd": "ls"}<|tool_call_end|>',
  ],
  [
    "Kimi with the section in the singular",
    '<|tool_call_section_begin|><|tool_call_begin|>run_shell:0<|tool_call_argument_begin|>{"cmd":"ls"}<|tool_call_end|><|tool_call_section_end|>',
  ],
  [
    "Kimi without arguments",
    "<|tool_call_begin|>run_shell:0<|tool_call_argument_begin|><|tool_call_end|>",
    { calls: [{ name: "run_shell", arguments: {} }] },
  ],
  [
    "DeepSeek without the begin of the call",
    '<｜tool▁calls▁begin｜>run_shell<｜tool▁sep｜>{"cmd": "ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    "DeepSeek with escaped gaps",
    '<｜tool\\_calls\\_begin｜><｜tool\\_call\\_begin｜>run_shell<｜tool\\_sep｜>{"cmd": "ls"}<｜tool\\_call\\_end｜>',
  ],
  [
    "DeepSeek with blanks for gaps",
    '<｜tool calls begin｜><｜tool call begin｜>run_shell<｜tool sep｜>{"cmd": "ls"}<｜tool call end｜>',
  ],
  [
    "DeepSeek with the short section name",
    '<｜tool▁calls｜><｜tool▁call▁begin｜>run_shell<｜tool▁sep｜>{"cmd": "ls"}<｜tool▁call▁end｜>',
  ],
  [
    "DSML with ASCII bars",
    '<|DSML|invoke name="run_shell"><|DSML|parameter name="cmd" string="true">ls</|DSML|parameter></|DSML|invoke>',
  ],
  [
    "DSML with the double bar",
    '<‖DSML‖invoke name="run_shell"><‖DSML‖parameter name="cmd" string="true">ls</‖DSML‖parameter></‖DSML‖invoke>',
  ],
  [
    "DSML mixed with plain tags",
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="run_shell">\n<parameter name="cmd">ls</｜DSML｜parameter>\n</invoke>\n</function_calls>',
  ],
  [
    "Qwen, parameter closed by the function",
    "<tool_call>\n<function=run_shell>\n<parameter=cmd>\nls\n</function>\n</tool_call>",
  ],
  [
    "Qwen, two functions in one block",
    "<tool_call><function=run_shell><parameter=cmd>ls</parameter></function><function=read_text><parameter=path>a</parameter></function></tool_call>",
    { calls: [LS, A] },
  ],
  [
    "Qwen, next function instead of the end",
    "<tool_call><function=run_shell><parameter=cmd>ls</parameter><function=read_text><parameter=path>a</parameter></function></tool_call>",
    { calls: [LS, A] },
  ],
  [
    "Qwen with line breaks of Windows",
    "<tool_call>\r\n<function=run_shell>\r\n<parameter=cmd>\r\nls\r\n</parameter>\r\n</function>\r\n</tool_call>",
  ],
  ["Hermes inside other tags", '<tools>\n{"name": "run_shell", "arguments": {"cmd": "ls"}}\n</tools>'],
  [
    "Hermes with the closing tag doubled",
    '<tool_call>{"name": "run_shell", "arguments": {"cmd": "ls"}}</tool_call></tool_call>',
  ],
  [
    "Hermes with OpenAI's wrapper inside",
    '<tool_call>{"type": "function", "function": {"name": "run_shell", "arguments": "{\\"cmd\\": \\"ls\\"}"}}</tool_call>',
  ],
  [
    "a list without brackets",
    '<TOOLCALL>{"name": "run_shell", "arguments": {"cmd": "ls"}}, {"name": "read_text", "arguments": {"path": "a"}}</TOOLCALL>',
    { calls: [LS, A] },
  ],
  [
    "unknown escapes in strings",
    '<tool_call>{"name": "run_shell", "arguments": {"cmd": "grep \\d+ \\\'x\\\'"}}</tool_call>',
    { calls: [{ name: "run_shell", arguments: { cmd: "grep \\d+ 'x'" } }] },
  ],
  ["Gemma without closer", '<|tool_call>call:run_shell{cmd:<|"|>ls<|"|>}'],
  ["Gemma with the closer doubled", '<|tool_call>call:run_shell{cmd:<|"|>ls<|"|>}<tool_call|><tool_call|>'],
  ["Gemma with ordinary quotes", '<|tool_call>call:run_shell{cmd:"ls"}<tool_call|>'],
  [
    "Gemma, string not closed",
    '<|tool_call>call:run_shell{cmd:<|"|>ls}<tool_call|>',
    { calls: [], shown: '<|tool_call>call:run_shell{cmd:<|"|>ls}<tool_call|>' },
  ],
  [
    "Python with a raw line break",
    '[run_shell(cmd="a\nb")]',
    { calls: [{ name: "run_shell", arguments: { cmd: "a\nb" } }] },
  ],
  ["Python with a positional argument", '[run_shell("ls")]', { calls: [], shown: '[run_shell("ls")]' }],
  [
    "Llama with the list behind its tag",
    '<|python_tag|>[{"name": "run_shell", "parameters": {"cmd": "ls"}}]<|eom_id|>',
  ],
  [
    "gpt-oss without the constraint",
    '<|channel|>commentary to=functions.run_shell<|message|>{"cmd": "ls"}<|call|>',
  ],
  [
    "gpt-oss in the analysis channel",
    '<|channel|>analysis to=functions.run_shell code<|message|>{"cmd": "ls"}<|call|>',
  ],
  [
    "gpt-oss without tokens, after a thought",
    'analysisWe list.assistantcommentary to=functions.run_shell json{"cmd": "ls"}',
    { calls: [LS], reasoning: "We list." },
  ],
  [
    "gpt-oss, thought, preamble, call",
    '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary<|message|>On it.<|end|><|start|>assistant<|channel|>commentary to=functions.run_shell <|constrain|>json<|message|>{"cmd": "ls"}<|call|>',
    { calls: [LS], shown: "On it.", reasoning: "hm" },
  ],
  [
    "Mistral with text behind the list",
    '[TOOL_CALLS][{"name": "run_shell", "arguments": {"cmd": "ls"}}]\nDone.',
    { calls: [LS], shown: "Done." },
  ],
  [
    "Command with its text and an action",
    '<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>On it.<|END_RESPONSE|><|START_ACTION|>[{"tool_name": "run_shell", "parameters": {"cmd": "ls"}}]<|END_ACTION|>',
    { calls: [LS], shown: "On it.", reasoning: "hm" },
  ],
  [
    "M3 with nested tags",
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="set_plan">]<]minimax[>[<steps>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[<item>b]<]minimax[>[</item>]<]minimax[>[</steps>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    { calls: [{ name: "set_plan", arguments: { steps: ["a", "b"] } }] },
  ],
  ["MiniCPM with CDATA", '<function name="run_shell"><param name="cmd"><![CDATA[ls]]></param></function>'],
  [
    "Hunyuan with its answer wrapper",
    "<think>hm</think>\n<answer>\nFine.\n</answer>",
    { shown: "Fine.", reasoning: "hm" },
  ],
  [
    "two thoughts",
    `<think>a</think>\n<think>b</think>\n<tool_call>{"name": "run_shell", "arguments": {"cmd": "ls"}}</tool_call>`,
    { calls: [LS], reasoning: "ab" },
  ],
  ["a thought closed twice", "<think>a</think>\n\n</think>\n\nFine.", { shown: "Fine.", reasoning: "a" }],
  [
    "a list of steps that came encoded",
    '<tool_call>{"name": "set_plan", "arguments": {"steps": "[\'a\', \'b\']"}}</tool_call>',
    { calls: [{ name: "set_plan", arguments: { steps: ["a", "b"] } }] },
  ],
  ["a wrapper around one call", '{"tool_call": {"name": "run_shell", "arguments": {"cmd": "ls"}}}'],
  ["a name in the key function", '{"function": "run_shell", "arguments": {"cmd": "ls"}}'],
  ["a fence that was not closed", '```json\n{"name": "run_shell", "arguments": {"cmd": "ls"}}'],
  [
    "a fence with the end token behind it",
    '```json\n{"name": "run_shell", "arguments": {"cmd": "ls"}}\n```<|im_end|>',
  ],
  [
    "Python in a fence of tildes",
    '~~~tool_code\nrun_shell(cmd="ls")\nread_text(path="a")\n~~~',
    { calls: [LS, A] },
  ],
  ["Python in a fence whose result is printed", '```tool_code\nprint(run_shell(cmd="ls"))\n```'],
];

for (const [title, text, wanted = { calls: [LS] }] of FORMS) {
  test(`${title}`, () => {
    const whole: Required<Wanted> = { calls: [], shown: "", reasoning: "", ...wanted };
    expect(read(text)).toEqual(whole);
    expect(
      read(
        text,
        Array.from({ length: text.length }, (_, at) => at),
      ),
    ).toEqual(whole);
  });
}

const NOT_CALLS: readonly string[] = [
  "Use <|tool_call_begin|> and then the name.",
  "Kimi writes <|tool_calls_section_begin|> first, Mistral [TOOL_CALLS] and Llama <|python_tag|>.",
  "The channel token <|channel|> comes before the name, <|start|> before the role.",
  "commentary to the editor: fine. analysis is next.",
  "analysis: the parser is slow.",
  "run_shell\nis the name of a tool.",
  "run_shell: a tool",
  "[read_text] and [run_shell(…)] are tools.",
  "[run_shell](https://example.org) runs a command.",
  '{"name": "run_shell", "arguments": {"cmd": "ls"}',
  '{"name": "run_shell", "arguments": {"cmd": "ls",}}',
  '{"name": "run_shell", "arguments": null}',
  '{"name": "run_shell", "arguments": {"cmd": "ls"}, "input": {}}',
  '{"tool_calls": []}',
  "[]",
  "{}",
  '```\n{"name": "run_shell", "arguments": {"cmd": "ls"}}\n```\nruns the command.',
  '```tool_call\n{"name": "run_shell", "arguments": {"cmd": "ls"}}\n```\nis the form.',
  '> quoted <tool_call>{"name": "run_shell", "arguments": {"cmd": "ls"}}</tool_call>',
  "Type `<function=run_shell><parameter=cmd>ls</parameter></function>",
  ">>> run_shell('ls')\n>>>read_text",
  "Old text: <s>gone</s> and <b>bold</b>.",
  "a </answer> and a </response> in prose\n</response>",
  "if (a <| b || c |> d) [e~[ is no code",
];

for (const text of NOT_CALLS) {
  test(`no call: ${JSON.stringify(text.slice(0, 60))}`, () => {
    const { calls, shown, reasoning } = readCut(
      { id: "", family: "", tools: TOOLS, text, expect: { calls: [], shown: "" } },
      [],
    );
    expect([calls, shown, reasoning]).toEqual([[], text, ""]);
  });
}
