import { assistantText, type Item, type MessageItem, type ToolCall, textOf } from "../../protocol/items.ts";
import type { Usage } from "../../protocol/usage.ts";
import { countOf, isRecord, type Json, listOf, recordOf, textIn } from "../../util/json.ts";
import { newCallId } from "../call-ids.ts";
import type { AnswerReader } from "../converse.ts";
import { streamCut, streamError } from "../stream-error.ts";
import { toolInput } from "../tool-arguments.ts";
import type { ModelEvent, ModelRequest, StopReason } from "../types.ts";
import { AnswerText, freeformNames } from "./answer-text.ts";
import { ResponseItems } from "./response-items.ts";

/**
 * Reads the events of a Responses stream. Items are passed on as soon as they are whole; a message waits for the next item,
 * which tells whether the server itself has found the calls that may be in its text.
 */
export class ResponsesReader implements AnswerReader {
  state: "open" | "done" = "open";
  readonly #freeform: ReadonlySet<string>;
  readonly #output = new ResponseItems();
  readonly #request: ModelRequest;
  #hasCalls = false;
  #hasPrintedCalls = false;
  /** The text of the message that is being written. */
  #answer: AnswerText;
  #streamed = "";
  #waiting: MessageItem | undefined;

  constructor(request: ModelRequest) {
    this.#request = request;
    this.#freeform = freeformNames(request.tools);
    this.#answer = new AnswerText(request);
  }

  take(data: unknown, event: string): ModelEvent[] {
    if (!isRecord(data)) return [];
    const { delta } = data;
    const type = textIn(data["type"]) ?? event;
    switch (type) {
      case "response.created":
        return [startedBy(recordOf(data["response"]))];
      case "response.output_text.delta":
        if (typeof delta !== "string") return [];
        this.#streamed += delta;
        return this.#answer.push(delta);
      case "response.refusal.delta":
        return typeof delta === "string" && delta !== "" ? [{ type: "text", delta }] : [];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta": {
        const kind = type === "response.reasoning_text.delta" ? "raw" : "summary";
        return typeof delta === "string" && delta !== "" ? [{ type: "thinking", delta, kind }] : [];
      }
      case "response.reasoning_summary_part.added":
        return countOf(data["summary_index"]) > 0
          ? [{ type: "thinking", delta: "\n\n", kind: "summary" }]
          : [];
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return this.#inputDelta(data);
      case "response.function_call_arguments.done":
      case "response.custom_tool_call_input.done":
        this.#output.settle(data, textIn(data["arguments"]) ?? textIn(data["input"]));
        return [];
      case "response.output_item.added":
        this.#output.open(data);
        return [];
      case "response.output_item.done":
        return isRecord(data["item"]) ? this.#items([this.#output.close(data, data["item"])], false) : [];
      case "response.completed":
      case "response.done":
        return this.whole({ status: "completed", ...recordOf(data["response"]) });
      case "response.incomplete":
        return this.whole({ status: "incomplete", ...recordOf(data["response"]) });
      case "response.failed":
        return this.whole({ ...recordOf(data["response"]), status: "failed" });
      default:
        return this.#other(data, type);
    }
  }

  whole(document: unknown): ModelEvent[] {
    const response = recordOf(document);
    const { status, error, output, incomplete_details: incomplete, usage } = response;
    if (status === "failed" || (isRecord(error) && status !== "completed"))
      throw streamError(error ?? response);
    if (typeof error === "string") throw streamError(response);
    if (!isRecord(document) || (output === undefined && status === undefined)) throw streamError(document);
    this.state = "done";
    const isCut = status === "incomplete";
    const found = this.#items(listOf(output), true);
    if (!isCut) found.push(...this.#items(this.#output.unclosed(), true));
    const items = [...found, ...this.#streamedMessage(), ...this.#release(isCut)];
    const reason = textIn(recordOf(incomplete)["reason"]) ?? "max_output_tokens";
    return [
      ...items,
      {
        type: "finished",
        stop: this.#stop(isCut),
        usage: usageOf(usage),
        ...(isCut ? { detail: reason } : {}),
      },
    ];
  }

  end(): ModelEvent[] {
    if (this.state === "open") throw streamCut("the stream ended without response.completed");
    return [];
  }

  #stop(isCut: boolean): StopReason {
    if (isCut) return "length";
    return this.#hasCalls || this.#hasPrintedCalls ? "tool_calls" : "end";
  }

  #other(data: Json, type: string): ModelEvent[] {
    const isError = type === "error" || isRecord(data["error"]) || typeof data["error"] === "string";
    if (isError) throw streamError(data);
    return [];
  }

  #inputDelta(data: Json): ModelEvent[] {
    const delta = textIn(data["delta"]);
    const item = delta === undefined ? undefined : this.#output.grow(data, delta);
    const callId = textIn(item?.["call_id"]);
    if (callId === undefined || delta === undefined) return [];
    return [{ type: "tool_input", callId, name: textIn(item?.["name"]) ?? "", delta }];
  }

  /** A text of which only the pieces came. */
  #streamedMessage(): ModelEvent[] {
    if (this.#streamed === "" || this.#waiting) return [];
    this.#waiting = assistantText(this.#streamed);
    return [];
  }

  /** Some servers name an item only in the list at the end; those that were passed on already are left out. */
  #items(raws: readonly unknown[], isListed: boolean): ModelEvent[] {
    return raws.flatMap((raw): ModelEvent[] => {
      if (!isRecord(raw) || !this.#output.isNew(raw, isListed)) return [];
      const item = itemOf(raw, this.#freeform);
      if (item.type === "tool_call") this.#hasCalls = true;
      const before = this.#release(false);
      if (item.type !== "message") return [...before, { type: "item", item }];
      this.#waiting = item;
      return before;
    });
  }

  /** Passes on the message that waits, and the calls and thoughts that were printed in it. */
  #release(isCut: boolean): ModelEvent[] {
    const message = this.#waiting;
    if (!message) return [];
    const text = textOf(message.content);
    // Servers that don't stream the text send it with the item only.
    const answer = this.#streamed === text ? this.#answer : new AnswerText(this.#request);
    if (answer !== this.#answer) answer.push(text);
    const events = answer.end(isCut, this.#hasCalls);
    const shown = answer === this.#answer ? events : [];
    this.#waiting = undefined;
    this.#answer = new AnswerText(this.#request);
    this.#streamed = "";
    if (answer.text === text) return [...shown, { type: "item", item: message }];
    this.#hasPrintedCalls ||= answer.calls.length > 0;
    return [...shown, ...printedItems(message, answer).map((item): ModelEvent => ({ type: "item", item }))];
  }
}

/** What is left of the message has no id, as the server knows another text under it. */
function printedItems({ phase }: MessageItem, { text, thoughts, calls }: AnswerText): Item[] {
  const message = { ...assistantText(text), ...(phase === undefined ? {} : { phase }) };
  return [
    ...(thoughts.trim() === "" ? [] : [{ type: "reasoning" as const, summary: [], text: thoughts }]),
    ...(text.trim() === "" ? [] : [message]),
    ...calls,
  ];
}

function startedBy(response: Json): ModelEvent {
  const responseId = textIn(response["id"]);
  const model = textIn(response["model"]);
  return { type: "started", ...(responseId ? { responseId } : {}), ...(model ? { model } : {}) };
}

function itemOf(raw: Json, freeform: ReadonlySet<string>): Item {
  const id = textIn(raw["id"]);
  const own = id === undefined ? {} : { id };
  switch (raw["type"]) {
    case "message":
      return messageOf(raw, own);
    case "reasoning":
      return reasoningOf(raw, own);
    case "function_call":
      return { ...callOf(raw), input: toolInput(callOf(raw).name, argumentsOf(raw), freeform), ...own };
    case "custom_tool_call":
      return { ...callOf(raw), input: { kind: "text", raw: textIn(raw["input"]) ?? "" }, ...own };
    default:
      return { type: "opaque", wire: "responses", raw };
  }
}

function messageOf(raw: Json, own: { id?: string }): Item {
  const content = listOf(raw["content"]).flatMap((part) => {
    const { text, refusal } = recordOf(part);
    const words = textIn(text) ?? textIn(refusal);
    return words === undefined ? [] : [{ type: "output_text" as const, text: words }];
  });
  const message: MessageItem = { type: "message", role: "assistant", content, ...own };
  const { phase } = raw;
  return phase === "commentary" || phase === "final_answer" ? { ...message, phase } : message;
}

function reasoningOf(raw: Json, own: { id?: string }): Item {
  const summary = textsOf(raw["summary"]);
  const text = textsOf(raw["content"]).join("");
  const data = textIn(raw["encrypted_content"]);
  return {
    type: "reasoning",
    summary,
    ...(text === "" ? {} : { text }),
    ...(data === undefined ? {} : { sealed: { wire: "responses", data } }),
    ...own,
  };
}

function textsOf(parts: unknown): string[] {
  return listOf(parts).flatMap((part) => textIn(recordOf(part)["text"]) ?? []);
}

function callOf(raw: Json): Pick<ToolCall, "type" | "callId" | "name"> {
  const name = textIn(raw["name"]) ?? "";
  const space = textIn(raw["namespace"]);
  const callId = textIn(raw["call_id"]) ?? textIn(raw["id"]) ?? newCallId();
  return { type: "tool_call", callId, name: space === undefined ? name : `${space}__${name}` };
}

function argumentsOf(raw: Json): string {
  const { arguments: args } = raw;
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}

function usageOf(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  return {
    input: countOf(value["input_tokens"]),
    cachedInput: countOf(recordOf(value["input_tokens_details"])["cached_tokens"]),
    cacheWrite: 0,
    output: countOf(value["output_tokens"]),
    reasoning: countOf(recordOf(value["output_tokens_details"])["reasoning_tokens"]),
  };
}
