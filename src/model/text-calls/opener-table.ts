import { once } from "../../util/once.ts";
import type { Cursor, Parse } from "./cursor.ts";
import { readGemma } from "./formats/gemma-calls.ts";
import { readJsonCalls } from "./formats/json-calls.ts";
import { closed, listBetween, readMistral, readNamedObject, readPrompted } from "./formats/listed-calls.ts";
import { M3_MARK, readM3Calls } from "./formats/m3-calls.ts";
import { readSection } from "./formats/section.ts";
import { readTokenCalls } from "./formats/token-calls.ts";
import type { Batch } from "./written-calls.ts";

/**
 * What a mark begins. A "hard" call counts everywhere, a "soft" one not inside a thought that goes on, a "line" one only
 * at the start of a line. `frame` is markup around text, `end` counts at the end of the answer.
 */
export type Opener = { mark: string } & (
  | { kind: "think"; closer: string }
  | { kind: "closer"; isCertain: boolean }
  | { kind: "call"; strength: "hard" | "soft" | "line"; includesMark: boolean; read: CallReader }
  | { kind: "wrapper" | "frame" | "end" | "harmony" | "k3" }
);
type CallReader = (c: Cursor, batch: Batch) => Parse<boolean>;

const THOUGHTS: readonly (readonly [opener: string, closer: string, isCertain: boolean])[] = [
  ["<think>", "</think>", false],
  ["<thinking>", "</thinking>", false],
  ["<thought>", "</thought>", false],
  ["<reasoning>", "</reasoning>", false],
  ["<seed:think>", "</seed:think>", false],
  ["[THINK]", "[/THINK]", true],
  ["<|START_THINKING|>", "<|END_THINKING|>", true],
  ["<|inner_prefix|>", "<|inner_suffix|>", true],
  ["<|channel>thought", "<channel|>", true],
  ["<|open|>think<|sep|>", "<|close|>think<|sep|>", true],
];
const FRAMES = ["<|START_TEXT|>", "<|END_TEXT|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>"];
/** End what `<response>` and `<answer>` began. */
export const WRAPPER_ENDS: readonly string[] = ["</response>", "</answer>"];
const ENDS = [
  ...["<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|eot|>", "<|end|>", "<|return|>", "<|call|>", "</s>"],
  ...["<|end_of_sentence|>", "<|end_of_text|>", "<|endoftext|>", "<|END_OF_TURN_TOKEN|>", "<end_of_turn>"],
  ...["<turn|>", "<|end_of_msg|>", "<seed:eos>", "[e~[", "<|user|>", "<|observation|>", "<|tool_response>"],
  ...WRAPPER_ENDS,
  // What is left in the answer when the call before it came in the reasoning.
  ...["<|tool_call_end|>", "<|tool_calls_end|>", "<|tool_calls_section_end|>"],
];
const TOKEN_SECTIONS = [
  ...["<|tool_calls_begin|>", "<|tool_calls|>", "<|tool_calls_section_begin|>"],
  "<|tool_call_section_begin|>",
];
const SECTIONS = ["<@function_calls>", "<@tool_calls%>", "<@tool_call%>", "<function_call>", "<TOOLCALL>"];
const LINE_TAGS = ["<function=", "<function name=", "<@invoke ", "<tools>", "<tool>"];

/** Most answers hold no character that a mark begins with, so the table is made for those that do. */
export const openers = once((): readonly Opener[] => [
  ...THOUGHTS.map(([mark, closer]): Opener => ({ mark, kind: "think", closer })),
  ...THOUGHTS.map(([, mark, isCertain]): Opener => ({ mark, kind: "closer", isCertain })),
  ...["<response>", "<answer>"].map((mark): Opener => ({ mark, kind: "wrapper" })),
  ...FRAMES.map((mark): Opener => ({ mark, kind: "frame" })),
  ...ENDS.map((mark): Opener => ({ mark, kind: "end" })),
  ...["<|start|>", "<|channel|>"].map((mark): Opener => ({ mark, kind: "harmony" })),
  ...["<|open|>", "<|close|>"].map((mark): Opener => ({ mark, kind: "k3" })),
  ...TOKEN_SECTIONS.map((mark) => call("hard", mark, readTokenCalls)),
  call("hard", "<|tool_call_begin|>", readTokenCalls),
  before("hard", "<|DSML", readSection),
  call("hard", "[TOOL_CALLS]", readMistral),
  call("hard", "<|python_tag|>", readPrompted),
  call("hard", "<|python_start|>", listBetween("<|python_end|>")),
  call("hard", "<|tool_call>", readGemma),
  call("hard", "<start_function_call>", readGemma),
  call("hard", "<|tool_call_start|>", listBetween("<|tool_call_end|>")),
  call("hard", "<|START_ACTION|>", listBetween("<|END_ACTION|>")),
  call("hard", "<|tool_call|>", listBetween("<|/tool_call|>", "</tool_call>")),
  call("hard", "<|action_start|><|plugin|>", listBetween("<|action_end|>")),
  call("hard", "<|tools_prefix|>", readKeyed),
  call("hard", `${M3_MARK}<tool_call>`, readM3Calls),
  ...SECTIONS.map((mark) => before("soft", mark, readSection)),
  ...LINE_TAGS.map((mark) => before("line", mark, readSection)),
  call("line", "functools", listBetween()),
  call("line", ">>>", readNamedObject),
]);

/** What the marks of the table begin with. */
export const FIRST_CHARACTERS = "<[]f>";

function call(strength: "hard" | "soft" | "line", mark: string, read: CallReader): Opener {
  return { mark, kind: "call", strength, includesMark: false, read };
}

/** The reader begins before the mark. */
function before(strength: "hard" | "soft" | "line", mark: string, read: CallReader): Opener {
  return { mark, kind: "call", strength, includesMark: true, read };
}

function* readKeyed(c: Cursor, batch: Batch): Parse<boolean> {
  yield* c.skipSpace();
  if (!(yield* readJsonCalls(c, batch, true))) return false;
  return yield* closed(c, batch, ["<|tools_suffix|>"]);
}
