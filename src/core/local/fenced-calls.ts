import type { ModelEvent, ModelRequest, WireTool } from "../../model/types.ts";
import {
  assistantText,
  type Item,
  type MessageItem,
  type Part,
  type ToolCall,
  textOf,
  userText,
} from "../../protocol/items.ts";
import { addUsage, NO_USAGE } from "../../protocol/usage.ts";
import { AppError } from "../../util/errors.ts";
import { isRecord, listOf } from "../../util/json.ts";
import { FENCE, splitCommand, TextBeforeBlock } from "./fenced-block.ts";

type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

const PROTOCOL = `
# How to run a command

You have no other way to act than this: end your answer with one block of this form, and write nothing after it.

\`\`\`${FENCE}
ls -la
\`\`\`

- The block holds one shell script; several lines are fine, and so are here-documents. Nothing in it needs to be escaped.
- Its output and exit code come in the next message. Wait for them; never make them up.
- One block in an answer. A block of any other kind is only text and is not run.
- An answer without such a block says that the task is done.`;

const REMINDER = `Nothing was run, as your answer has no block of the right form. If there is something left to do, write the command like this:
\`\`\`${FENCE}
the command
\`\`\`
If the task is done, repeat your closing words without a block.`;

/**
 * Lets a model without tool calls work all the same: it writes its command in a fenced block, and the loop sees an
 * ordinary call of the harness's shell tool. History holds that call, so that another model can go on with it.
 */
export function fencedCalls(stream: Stream): Stream {
  return async function* (request, signal) {
    const shell = shellTool(request.tools);
    if (!shell) {
      yield* stream(request, signal);
      return;
    }
    const first = new FencedAnswer(shell);
    yield* first.read(stream(asText(request, shell), signal));
    if (first.hasCall || !needsReminder(request.items, first.text)) {
      yield first.finished();
      return;
    }
    const said = userText(REMINDER);
    yield { type: "item", item: said };
    const more = { ...request, items: [...request.items, assistantText(first.text), said] };
    const second = new FencedAnswer(shell);
    yield* second.read(stream(asText(more, shell), signal));
    yield second.finished(first);
  };
}

/** Asks as usual until the server says that the model can't call tools; `onSwitch` is told, once. */
export function fencedWhenRefused(stream: Stream, onSwitch: () => Promise<string>): Stream {
  const asFenced = fencedCalls(stream);
  let isText = false;
  return async function* (request, signal) {
    if (!isText) {
      try {
        yield* stream(request, signal);
        return;
      } catch (cause) {
        if (!isToolRefusal(cause) || request.tools.length === 0) throw cause;
        isText = true;
        yield { type: "notice", message: await onSwitch() };
      }
    }
    yield* asFenced(request, signal);
  };
}

/** In the words of Ollama, of vLLM without a parser for calls, of llama.cpp without its templates, and of gateways. */
const TOOL_REFUSAL =
  /does(n't| not) support (tools|tool use|tool call|function call)|tool choice requires --enable-auto-tool-choice|tools param requires --jinja|no endpoints found that support tool use|(tool use|tool calling|function call(ing|s)?|tools) (is|are) not supported/i;

function isToolRefusal(cause: unknown): boolean {
  return cause instanceof AppError && TOOL_REFUSAL.test(cause.message);
}

type Shell = { name: string; parameter: string };

/** The tool that runs a command line: the first that needs just that. */
function shellTool(tools: readonly WireTool[]): Shell | undefined {
  for (const tool of tools) {
    if (tool.kind !== "function") continue;
    const parameter = ["cmd", "command"].find((name) => listOf(tool.parameters["required"]).includes(name));
    const { properties } = tool.parameters;
    const schema = isRecord(properties) && parameter !== undefined ? properties[parameter] : undefined;
    if (parameter !== undefined && isRecord(schema) && schema["type"] === "string")
      return { name: tool.name, parameter };
  }
  return undefined;
}

function asText(request: ModelRequest, shell: Shell): ModelRequest {
  const { instructionBlocks: _, ...rest } = request;
  return {
    ...rest,
    instructions: `${request.instructions}\n${PROTOCOL}`,
    tools: [],
    items: request.items.flatMap((item) => writtenItem(item, shell)),
  };
}

/** Calls and results as the model wrote and read them. */
function writtenItem(item: Item, { parameter }: Shell): Item[] {
  if (item.type === "reasoning") return [];
  if (item.type === "tool_call") return [assistantText(block(commandOf(item, parameter)))];
  if (item.type !== "tool_result") return [item];
  const content: Part[] = [
    { type: "input_text", text: item.ok ? "Result of the command:" : "The command failed:" },
    ...item.content,
  ];
  return [{ type: "message", role: "user", content }];
}

function commandOf({ input }: ToolCall, parameter: string): string {
  if (input.kind === "text") return input.raw;
  try {
    const value: unknown = JSON.parse(input.raw);
    return isRecord(value) && typeof value[parameter] === "string" ? value[parameter] : input.raw;
  } catch {
    return input.raw;
  }
}

function block(command: string): string {
  return `\`\`\`${FENCE}\n${command}\n\`\`\``;
}

/** Once in a turn, and only to a model that has not yet shown that it knows the form. */
function needsReminder(items: readonly Item[], text: string): boolean {
  if (text.trim() === "") return false;
  const start = items.findLastIndex((item) => item.type === "message" && item.role === "user");
  const isTold = items.some((item) => item.type === "message" && textOf(item.content) === REMINDER);
  return !isTold && !items.slice(start + 1).some((item) => item.type === "tool_call");
}

type Finished = Extract<ModelEvent, { type: "finished" }>;

/** One answer: its text is passed on as it comes, its block becomes a call. */
class FencedAnswer {
  hasCall = false;
  text = "";
  readonly #shell: Shell;
  #end: Finished = { type: "finished", stop: "end" };

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  get usage(): Finished["usage"] {
    return this.#end.usage;
  }

  async *read(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void> {
    let said: MessageItem | undefined;
    const shown = new TextBeforeBlock();
    for await (const event of events) {
      if (event.type === "finished") this.#end = event;
      else if (event.type === "text") yield* textEvents(shown.push(event.delta));
      else if (event.type === "item" && event.item.type === "message") said = event.item;
      else yield event;
    }
    yield* textEvents(shown.end());
    if (said) yield* this.#message(said);
  }

  /** The last event, with what an answer before this one has cost. */
  finished(before?: FencedAnswer): Finished {
    const usage = this.#end.usage ?? NO_USAGE;
    const whole = before?.usage ? addUsage(before.usage, usage) : this.#end.usage;
    const stop = this.hasCall && this.#end.stop === "end" ? "tool_calls" : this.#end.stop;
    return { ...this.#end, stop, ...(whole ? { usage: whole } : {}) };
  }

  *#message(item: MessageItem): Generator<ModelEvent, void> {
    this.text = textOf(item.content);
    const found = splitCommand(this.text, this.#end.stop === "length");
    if (!found) {
      yield { type: "item", item };
      return;
    }
    this.hasCall = true;
    // History keeps the words before the block; the block itself stands there as the call.
    if (found.rest !== "") yield { type: "item", item: assistantText(found.rest) };
    const raw = JSON.stringify({ [this.#shell.parameter]: found.command });
    const callId = `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
    const call: ToolCall = {
      type: "tool_call",
      callId,
      name: this.#shell.name,
      input: { kind: "json", raw },
    };
    yield { type: "item", item: call };
  }
}

function textEvents(delta: string): ModelEvent[] {
  return delta === "" ? [] : [{ type: "text", delta }];
}
