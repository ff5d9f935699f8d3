import { assistantText, type Item } from "../../protocol/items.ts";
import { NO_USAGE, type Usage } from "../../protocol/usage.ts";
import { countOf, isRecord, type Json, parseJson, recordOf, textIn } from "../../util/json.ts";
import { newCallId } from "../call-ids.ts";
import type { AnswerReader } from "../converse.ts";
import { emptyAnswer, filtered, streamCut, streamError } from "../stream-error.ts";
import { toolInput } from "../tool-arguments.ts";
import type { ModelEvent, ModelRequest, StopReason } from "../types.ts";
import { AnswerText, freeformNames } from "./answer-text.ts";

type Block = {
  /** The block as it was announced. */
  start: Json;
  kind: "text" | "thinking" | "call" | "other";
  callId: string;
  name: string;
  text: string;
  signature: string | undefined;
};

const LENGTH = /^(max_tokens|model_context_window_exceeded)$/;

/** Reads the events of a Messages stream. Items come out at the end, so that an answer that breaks leaves no trace. */
export class MessagesReader implements AnswerReader {
  state: "open" | "done" = "open";
  readonly #freeform: ReadonlySet<string>;
  readonly #answer: AnswerText;
  readonly #blocks: Block[] = [];
  readonly #byIndex = new Map<unknown, Block>();
  #newest: Block | undefined;
  #stopReason: string | undefined;
  #usage: Json | undefined;

  constructor(request: ModelRequest) {
    this.#freeform = freeformNames(request.tools);
    this.#answer = new AnswerText(request);
  }

  take(data: unknown, event: string): ModelEvent[] {
    if (!isRecord(data)) return [];
    switch (textIn(data["type"]) ?? event) {
      case "message_start":
        return this.#start(recordOf(data["message"]));
      case "content_block_start":
        return this.#open(data["index"], recordOf(data["content_block"]));
      case "content_block_delta":
        return this.#delta(data["index"], recordOf(data["delta"]));
      case "message_delta":
        this.#takeUsage(data["usage"]);
        this.#stopReason = textIn(recordOf(data["delta"])["stop_reason"]) ?? this.#stopReason;
        return [];
      case "message_stop":
        this.state = "done";
        return [];
      case "error":
        throw streamError(data);
      default:
        if (isRecord(data["error"]) || typeof data["error"] === "string") throw streamError(data);
        return [];
    }
  }

  whole(document: unknown): ModelEvent[] {
    if (!isRecord(document) || !Array.isArray(document["content"])) throw streamError(document);
    const events = this.#start(document);
    for (const [index, block] of document["content"].entries())
      events.push(...this.#open(index, recordOf(block)));
    this.#stopReason = textIn(document["stop_reason"]);
    this.state = "done";
    return [...events, ...this.end()];
  }

  end(): ModelEvent[] {
    if (this.state !== "done") throw streamCut("the stream ended without message_stop");
    const blocks = this.#blocks;
    const events = this.#endText(blocks);
    const stop = this.#stop(blocks);
    const isFilled = (block: Block) =>
      block.kind === "call" || block.kind === "other" || block.text.trim() !== "";
    const hasContent = blocks.some((block) => block.kind !== "thinking" && isFilled(block));
    if (!hasContent && stop === "end") throw emptyAnswer(blocks.some((block) => block.kind === "thinking"));
    if (stop === "refusal") events.push(filtered(hasContent ? this.#answer.text : ""));
    const items = blocks.flatMap((block): ModelEvent[] => {
      const item = this.#itemOf(block, stop === "length" && block === this.#newest);
      return item ? [{ type: "item", item }] : [];
    });
    const written = this.#answer.calls.map((item): ModelEvent => ({ type: "item", item }));
    const detail = stop === "length" ? { detail: "max_output_tokens" } : {};
    return [
      ...events,
      ...items,
      ...written,
      { type: "finished", stop, ...(this.#usage ? { usage: usageOf(this.#usage) } : {}), ...detail },
    ];
  }

  /** Where calls or thoughts were printed as text, the first block of text holds what is left of it, and the others nothing. */
  #endText(blocks: readonly Block[]): ModelEvent[] {
    const answer = this.#answer;
    const isCut = LENGTH.test(this.#stopReason ?? "");
    const events = answer.end(
      isCut,
      blocks.some(({ kind }) => kind === "call"),
    );
    const texts = blocks.filter(({ kind }) => kind === "text");
    if (answer.text === texts.map(({ text }) => text).join("")) return events;
    const thoughts = answer.thoughts;
    for (const [index, block] of texts.entries()) block.text = index === 0 ? answer.text : "";
    if (thoughts.trim() !== "")
      events.push({ type: "item", item: { type: "reasoning", summary: [], text: thoughts } });
    return events;
  }

  #start(message: Json): ModelEvent[] {
    this.#takeUsage(message["usage"]);
    const responseId = textIn(message["id"]);
    const model = textIn(message["model"]);
    return [{ type: "started", ...(responseId ? { responseId } : {}), ...(model ? { model } : {}) }];
  }

  /** Numbers come in two places; the later ones are the final ones. */
  #takeUsage(value: unknown): void {
    if (isRecord(value)) this.#usage = { ...this.#usage, ...value };
  }

  #open(index: unknown, start: Json): ModelEvent[] {
    const id = textIn(start["id"]);
    const isTaken = this.#blocks.some(({ callId }) => callId === id);
    const block: Block = {
      start,
      kind: kindOf(start["type"]),
      callId: id === undefined || isTaken ? newCallId() : id,
      name: textIn(start["name"]) ?? "",
      text: "",
      signature: textIn(start["signature"]),
    };
    this.#byIndex.set(index, block);
    this.#blocks.push(block);
    this.#newest = block;
    return this.#grow(block, textIn(start["text"]) ?? textIn(start["thinking"]) ?? "");
  }

  #delta(index: unknown, delta: Json): ModelEvent[] {
    const block = this.#byIndex.get(index) ?? this.#newest;
    if (!block) return [];
    const { signature, text, thinking, partial_json: json } = delta;
    if (typeof signature === "string") block.signature = (block.signature ?? "") + signature;
    return this.#grow(block, textIn(text) ?? textIn(thinking) ?? textIn(json) ?? "");
  }

  #grow(block: Block, delta: string): ModelEvent[] {
    if (delta === "") return [];
    block.text += delta;
    switch (block.kind) {
      case "text":
        return this.#answer.push(delta);
      case "thinking":
        return [{ type: "thinking", delta, kind: "raw" }];
      case "call":
        return [{ type: "tool_input", callId: block.callId, name: block.name, delta }];
      case "other":
        return [];
    }
  }

  #itemOf(block: Block, isCut: boolean): Item | undefined {
    const { start, kind, callId, name, text } = block;
    switch (kind) {
      case "text":
        return text.trim() === "" ? undefined : assistantText(text);
      case "thinking":
        return thoughtOf(block);
      case "call": {
        const raw = text === "" ? JSON.stringify(start["input"] ?? {}) : withoutStart(text);
        const input = isCut ? { kind: "json" as const, raw: text } : toolInput(name, raw, this.#freeform);
        return { type: "tool_call", callId, name, input };
      }
      case "other":
        return {
          type: "opaque",
          wire: "messages",
          raw: text === "" ? start : { ...start, input: parseJson(text) ?? text },
        };
    }
  }

  #stop(blocks: readonly Block[]): StopReason {
    const reason = this.#stopReason ?? "";
    if (LENGTH.test(reason)) return "length";
    const hasCalls = this.#answer.calls.length > 0 || blocks.some((block) => block.kind === "call");
    if (hasCalls) return "tool_calls";
    return reason === "refusal" ? "refusal" : "end";
  }
}

/** Some gateways send the empty input of the block's start as a piece of its own. */
function withoutStart(json: string): string {
  const rest = json.startsWith("{}") ? json.slice(2) : "";
  return rest !== "" && parseJson(rest) !== undefined ? rest : json;
}

function kindOf(type: unknown): Block["kind"] {
  if (type === "text") return "text";
  if (type === "thinking" || type === "redacted_thinking") return "thinking";
  return type === "tool_use" ? "call" : "other";
}

/** Servers other than the vendor's send no signature; an empty one still marks whose thought it is. */
function thoughtOf({ start, text, signature }: Block): Item | undefined {
  const data = textIn(start["data"]);
  if (start["type"] === "redacted_thinking")
    return data === undefined
      ? undefined
      : { type: "reasoning", summary: [], sealed: { wire: "messages", data } };
  if (text === "" && signature === undefined) return undefined;
  return { type: "reasoning", summary: [], text, sealed: { wire: "messages", data: signature ?? "" } };
}

/** The vendor counts cached tokens beside `input_tokens`; here they are part of the input. */
function usageOf(usage: Json): Usage {
  const cachedInput = countOf(usage["cache_read_input_tokens"]);
  const cacheWrite = countOf(usage["cache_creation_input_tokens"]);
  return {
    ...NO_USAGE,
    input: countOf(usage["input_tokens"]) + cachedInput + cacheWrite,
    cachedInput,
    cacheWrite,
    output: countOf(usage["output_tokens"]),
  };
}
