import type { Item } from "../../protocol/items.ts";
import { lastText } from "../answers.ts";
import type { TextProtocol, WrittenCall } from "../written-call.ts";
import { editorCall } from "./editor-command.ts";

/** The answer is a thought and one command, in a fenced block or in one of the tags that models know. */
export const sweAgent: TextProtocol = {
  callsIn(answer, before) {
    const command = commandIn(answer);
    if (command === undefined) return [];
    if (command === SUBMIT) return hasSubmitted(before) ? [] : [{ name: SUBMIT, parameters: {} }];
    return [callFor(command)];
  },
  reply: (items) => (commandIn(lastText(items, "assistant") ?? "") === undefined ? CORRECTION : undefined),
};

const SUBMIT = "submit";

const CORRECTION = `Your answer has no command of the right form, so nothing was run.
Write what you think, then exactly one command in one block, and nothing after it:

\`\`\`
ls -la
\`\`\`

When the task is done, the command is \`submit\`.`;

function callFor(command: string): WrittenCall {
  return editorCall(command) ?? { name: "bash", parameters: { command } };
}

/** Was the newest thing that the model did since the user spoke a submission? Its answer asked to look again. */
function hasSubmitted(before: readonly Item[]): boolean {
  const spoken = before.findLastIndex((item) => item.type === "message" && item.role === "user");
  return before.slice(spoken + 1).some((item) => item.type === "tool_call" && item.name === SUBMIT);
}

const TAGGED = [
  /<(?:tool_invoke|invoke)\s+name="(?:execute_bash|bash)"\s*>\s*<code>([\s\S]*?)<\/code>/,
  /<(?:tool_invoke|invoke)\s+name="(?:execute_bash|bash)"\s*>\s*<parameter\s+name="command"\s*>([\s\S]*?)<\/parameter>/,
  /<(?:tool_invoke|invoke)\s+name="(?:execute_bash|bash)"\s*>\s*<command>([\s\S]*?)<\/command>/,
  /<tool_invoke>\s*<name>(?:execute_bash|bash)<\/name>\s*<code>([\s\S]*?)<\/code>/,
  /<execute_bash>([\s\S]*?)<\/execute_bash>/,
];
const FENCED = /^[ \t]*```[ \t]*(?:bash|sh|shell)?[ \t]*\n([\s\S]*?)\n?^[ \t]*```[ \t]*$/gm;

/** The last block counts: those before it are what the model thinks about. Undefined without a command. */
function commandIn(answer: string): string | undefined {
  for (const form of TAGGED) {
    const [, code] = form.exec(answer) ?? [];
    if (code !== undefined) return filled(withoutEntities(code));
  }
  const [, fenced] = [...answer.matchAll(FENCED)].at(-1) ?? [];
  return fenced === undefined ? undefined : filled(fenced);
}

function filled(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" ? undefined : trimmed;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function withoutEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
