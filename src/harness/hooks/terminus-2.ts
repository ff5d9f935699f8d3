import { type Item, textOf } from "../../protocol/items.ts";
import { isRecord } from "../../util/json.ts";
import { repairJson } from "../../util/json-repair.ts";
import { lastText } from "../answers.ts";
import type { TextProtocol, WrittenCall } from "../written-call.ts";

/** The answer is one JSON object: `analysis`, `plan`, `commands` with `keystrokes` and `duration`, `task_complete`. */
export const terminus2: TextProtocol = {
  callsIn(answer) {
    const read = readAnswer(answer);
    return "problems" in read || read.commands.length === 0 ? [] : [terminalCall(read)];
  },
  reply(items) {
    const read = readAnswer(lastText(items, "assistant") ?? "");
    if ("problems" in read) return complaint(read.problems);
    if (!read.isComplete) return NOTHING_TO_DO;
    return isRepeated(items) ? undefined : ARE_YOU_SURE;
  },
};

const PARSE_LABEL = "Previous response could not be used:";

const NOTHING_TO_DO = `${PARSE_LABEL}
- commands is empty and task_complete is not true: give the next commands, or say that the task is done`;

const ARE_YOU_SURE = `You say that the task is complete. Nothing can be changed afterwards. Look once more at what was asked and at the state of the terminal: if something is missing, go on with commands; if all is done, send "task_complete": true again, with no commands.`;

/** Was the answer before the last one complete, too, and has the user said nothing else since? */
function isRepeated(items: readonly Item[]): boolean {
  const earlier = items.slice(0, items.findLastIndex(isAnswer));
  const previous = earlier.findLastIndex(isAnswer);
  const read = readAnswer(lastText(earlier, "assistant") ?? "");
  const said = earlier.slice(previous + 1).filter((item) => item.type === "message" && item.role === "user");
  const isOurs = said.every((item) => item.type === "message" && textOf(item.content) === ARE_YOU_SURE);
  return previous >= 0 && "commands" in read && read.isComplete && isOurs;
}

function isAnswer(item: Item): boolean {
  return item.type === "message" && item.role === "assistant";
}

type Command = { keystrokes: string; duration?: number };
type Read = { commands: Command[]; isComplete: boolean; warnings: string[] } | { problems: string[] };

function terminalCall({
  commands,
  isComplete,
  warnings,
}: Extract<Read, { commands: Command[] }>): WrittenCall {
  const note = [
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(isComplete
      ? ["The commands were run first. If the task is done, say so again, without commands."]
      : []),
  ].join("\n");
  return { name: "terminal", parameters: { commands, ...(note === "" ? {} : { note }) } };
}

function complaint(problems: readonly string[]): string {
  return [
    PARSE_LABEL,
    ...problems.map((problem) => `- ${problem}`),
    'Answer with one JSON object and nothing else: {"analysis": "...", "plan": "...", "commands": [{"keystrokes": "ls\\n", "duration": 0.5}], "task_complete": false}',
  ].join("\n");
}

function readAnswer(answer: string): Read {
  const open = answer.indexOf("{");
  const close = answer.lastIndexOf("}");
  if (open < 0 || close < open) return { problems: ["there is no JSON object in it"] };
  const repaired = repairJson(answer.slice(open, close + 1));
  const value = repaired?.isGuess ? undefined : repaired?.value;
  if (!isRecord(value))
    return { problems: ["the JSON can't be read: check quotes, commas and line ends (\\n)"] };
  const { commands: listed = [], task_complete: complete, analysis, plan } = value;
  const problems = [
    ...(typeof analysis === "string" ? [] : ["analysis is missing"]),
    ...(typeof plan === "string" ? [] : ["plan is missing"]),
    ...(Array.isArray(listed) ? [] : ["commands is not a list"]),
  ];
  const commands = (Array.isArray(listed) ? listed : []).map(commandOf);
  if (commands.includes(undefined)) problems.push("each command needs keystrokes, a text");
  if (problems.length > 0) return { problems };
  return {
    commands: commands.filter((command) => command !== undefined),
    isComplete: complete === true || complete === "true",
    warnings: isAlone(answer, open, close) ? [] : ["there was text around the JSON, which nobody reads"],
  };
}

function commandOf(value: unknown): Command | undefined {
  if (!isRecord(value)) return undefined;
  const { keystrokes, duration } = value;
  if (typeof keystrokes !== "string") return undefined;
  return { keystrokes, ...(typeof duration === "number" ? { duration } : {}) };
}

/** A fence around the object is not text. */
function isAlone(answer: string, open: number, close: number): boolean {
  const around = answer.slice(0, open) + answer.slice(close + 1);
  return around.replace(/```(?:json)?/g, "").trim() === "";
}
