import { assistantText, type Item, type ReasoningItem } from "../../protocol/items.ts";
import type { Usage } from "../../protocol/usage.ts";
import { countOf, isRecord, type Json, listOf, recordOf, textIn } from "../../util/json.ts";
import type { AnswerReader } from "../converse.ts";
import { emptyAnswer, filtered, noRoomForAnswer, streamCut, streamError } from "../stream-error.ts";
import type { ModelEvent, ModelRequest, StopReason } from "../types.ts";
import { AnswerText, freeformNames } from "./answer-text.ts";
import { ChatCalls } from "./chat-calls.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text", "thinking"] as const;
const LENGTH = /^(length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded)$/;
const NO_ROOM = "model_context_window_exceeded";
const REFUSAL = /^(content_filter|refusal|safety|sensitive)$/i;
const LENGTH_DETAIL = "max_output_tokens";
/** Finish reasons that name a failure of the server. */
const FAILED = /^(error|insufficient_system_resource|engine_overloaded|abort)/;

/** Reads the chunks of a chat stream. Items come out at the end, so that an answer that breaks leaves no trace. */
export class ChatReader implements AnswerReader {
  readonly #calls: ChatCalls;
  readonly #answer: AnswerText;
  readonly #details = new ReasoningDetails();
  #refusal = "";
  #hasText = false;
  #hasStarted = false;
  #finish: string | undefined;
  #usage: Usage | undefined;

  constructor(request: ModelRequest) {
    const names = new Set(request.tools.map((tool) => tool.name));
    this.#calls = new ChatCalls(names, freeformNames(request.tools));
    this.#answer = new AnswerText(request);
  }

  get hasTrailer(): boolean {
    return this.#usage !== undefined;
  }

  get state(): "open" | "settled" {
    return this.#finish === undefined ? "open" : "settled";
  }

  take(data: unknown, event: string): ModelEvent[] {
    if (!isRecord(data)) return [];
    if (event === "error" || isReported(data)) throw streamError(data);
    const choice = firstChoice(listOf(data["choices"]));
    if (isReported(choice)) throw streamError(choice);
    const usage = data["usage"] ?? choice["usage"] ?? recordOf(data["x_groq"])["usage"];
    this.#usage = usageOf(usage) ?? this.#usage;
    const events = this.#started(data);
    const delta = this.#deltaOf(choice);
    if (delta) events.push(...this.#delta(delta));
    const finish = textIn(choice["finish_reason"]);
    if (finish !== undefined && FAILED.test(finish))
      throw streamCut(`the server ended the answer with "${finish}"`);
    this.#finish = finish ?? this.#finish;
    return events;
  }

  whole(document: unknown): ModelEvent[] {
    if (!isRecord(document) || !Array.isArray(document["choices"])) throw streamError(document);
    const events = this.take(document, "");
    this.#finish ??= "stop";
    return [...events, ...this.end(true)];
  }

  /** Servers leave out the end mark or the finish reason; an answer with neither is cut. */
  end(hasEndMark: boolean): ModelEvent[] {
    if (this.#finish === undefined && !hasEndMark)
      throw streamCut("the stream ended without a finish reason");
    const answer = this.#answer;
    const events = answer.end(LENGTH.test(this.#finish ?? ""), this.#calls.count > 0);
    const stop = this.#stop();
    if (this.#finish === NO_ROOM && answer.text.trim() === "" && this.#calls.count === 0)
      throw noRoomForAnswer(NO_ROOM);
    if (answer.text.trim() === "" && stop === "end") throw emptyAnswer(answer.thoughts !== "");
    if (stop === "refusal" && this.#refusal === "") events.push(filtered(answer.text));
    for (const item of this.#items(stop === "length")) events.push({ type: "item", item });
    const usage = this.#usage ? { usage: this.#usage } : {};
    events.push({
      type: "finished",
      stop,
      ...usage,
      ...(stop === "length" ? { detail: LENGTH_DETAIL } : {}),
    });
    return events;
  }

  #started(data: Json): ModelEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    const responseId = textIn(data["id"]);
    const model = textIn(data["model"]);
    return [{ type: "started", ...(responseId ? { responseId } : {}), ...(model ? { model } : {}) }];
  }

  /** A whole message instead of deltas counts only when nothing came before, as some servers repeat everything in it. */
  #deltaOf(choice: Json): Json | undefined {
    if (isRecord(choice["delta"])) return choice["delta"];
    const isFirst = !this.#hasText && this.#calls.count === 0;
    return isFirst && isRecord(choice["message"]) ? choice["message"] : undefined;
  }

  #delta(delta: Json): ModelEvent[] {
    const events: ModelEvent[] = [];
    for (const field of REASONING_FIELDS) {
      const thought = delta[field];
      // Some servers send the same thought under two names.
      if (typeof thought !== "string" || thought === "") continue;
      events.push(...this.#push({ kind: "thinking", text: thought }));
      break;
    }
    this.#details.take(delta["reasoning_details"]);
    for (const stretch of stretchesOf(delta["content"])) events.push(...this.#push(stretch));
    const refusal = textIn(delta["refusal"]);
    if (refusal !== undefined) {
      this.#refusal += refusal;
      events.push({ type: "text", delta: refusal });
    }
    const { tool_calls: calls, function_call: old } = delta;
    for (const call of listOf(calls)) events.push(...this.#calls.take(call));
    if (isRecord(old)) events.push(...this.#calls.take(old));
    return events;
  }

  #push({ kind, text }: Stretch): ModelEvent[] {
    this.#hasText = true;
    return kind === "text" ? this.#answer.push(text) : this.#answer.pushReasoning(text);
  }

  #stop(): StopReason {
    const finish = this.#finish ?? "";
    if (LENGTH.test(finish)) return "length";
    if (this.#calls.count + this.#answer.calls.length > 0) return "tool_calls";
    return this.#refusal !== "" || REFUSAL.test(finish) ? "refusal" : "end";
  }

  #items(isCut: boolean): Item[] {
    const { text, thoughts, calls } = this.#answer;
    const data = this.#details.data;
    const reasoning: ReasoningItem = {
      type: "reasoning",
      summary: [],
      text: thoughts === "" ? this.#details.text : thoughts,
      ...(data === undefined ? {} : { sealed: { wire: "chat", data } }),
    };
    const words = text + this.#refusal;
    return [
      ...(thoughts.trim() === "" && data === undefined ? [] : [reasoning]),
      ...(words.trim() === "" ? [] : [assistantText(words)]),
      ...this.#calls.items(isCut),
      ...calls,
    ];
  }
}

/** Asked for one answer, some servers send several side by side. */
function firstChoice(choices: readonly unknown[]): Json {
  return recordOf(choices.find((choice) => recordOf(choice)["index"] === 0) ?? choices[0]);
}

/** A stretch of an answer as the server has told it apart. */
type Stretch = { kind: "text" | "thinking"; text: string };

/** `error` is null in healthy chunks of some servers. */
function isReported(data: Json): boolean {
  const { error, object } = data;
  return object === "error" || isRecord(error) || (typeof error === "string" && error !== "");
}

/** Content is a string, or a list of parts among which thoughts may be. */
function stretchesOf(content: unknown): Stretch[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  const parts = Array.isArray(content) ? content : [content];
  return parts.flatMap((part): Stretch[] => {
    const { type, text, thinking } = recordOf(part);
    if (type === "thinking" || type === "reasoning") {
      const thought = typeof thinking === "string" ? thinking : (textIn(text) ?? textsOf(thinking));
      return thought === "" ? [] : [{ kind: "thinking", text: thought }];
    }
    const words = textIn(text);
    return words === undefined ? [] : [{ kind: "text", text: words }];
  });
}

function textsOf(parts: unknown): string {
  return listOf(parts)
    .map((part) => textIn(recordOf(part)["text"]) ?? "")
    .join("");
}

function usageOf(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = value;
  // The details are the documented place; two vendors name the number elsewhere.
  const cached =
    recordOf(prompt)["cached_tokens"] ?? value["prompt_cache_hit_tokens"] ?? value["cached_tokens"];
  return {
    input: countOf(value["prompt_tokens"] ?? value["input_tokens"]),
    cachedInput: countOf(cached),
    cacheWrite: 0,
    output: countOf(value["completion_tokens"] ?? value["output_tokens"]),
    reasoning: countOf(recordOf(completion)["reasoning_tokens"]),
  };
}
