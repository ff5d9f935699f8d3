import type { Speed } from "../../protocol/usage.ts";
import { countOf, isRecord, type Json, listOf, recordOf, textIn } from "../../util/json.ts";
import type { AnswerReader } from "../converse.ts";
import { cutNotice } from "../cut-prompt.ts";
import { streamError } from "../stream-error.ts";
import type { ModelEvent, ModelRequest } from "../types.ts";
import { ChatReader } from "./chat-stream.ts";
import { explained } from "./ollama-errors.ts";

const REMEDY = "update Ollama, or raise the context with -c model_context_window=N";

/** Reads the lines of /api/chat. Their content is a chat stream in other words, so the reader of that one does the work. */
export class OllamaReader implements AnswerReader {
  readonly #chat: ChatReader;
  readonly #request: ModelRequest;
  #promptTokens: number | undefined;
  #calls = 0;
  readonly #seen = new Set<string>();
  #speed: Speed | undefined;

  constructor(request: ModelRequest) {
    this.#request = request;
    this.#chat = new ChatReader(request);
  }

  get state(): AnswerReader["state"] {
    return this.#chat.state === "open" ? "open" : "done";
  }

  take(data: unknown, event: string): ModelEvent[] {
    if (!isRecord(data)) return [];
    const error = textIn(data["error"]);
    if (error !== undefined) throw explained(streamError(data), this.#request.model);
    if (data["done"] === true) this.#speed = speedOf(data);
    if (data["done"] === true && typeof data["prompt_eval_count"] === "number")
      this.#promptTokens = data["prompt_eval_count"];
    return this.#chat.take(this.#chunkOf(data), event);
  }

  whole(document: unknown): ModelEvent[] {
    return [...this.take(document, ""), ...this.end()];
  }

  /** Every whole answer ends with a line that says "done"; there is no other end mark. */
  end(): ModelEvent[] {
    const events = this.#chat.end(false);
    const timed = events.map((event) =>
      event.type === "finished" && this.#speed ? { ...event, speed: this.#speed } : event,
    );
    const notice = cutNotice(this.#request, this.#promptTokens, "Ollama", REMEDY);
    return notice === undefined ? timed : [{ type: "notice", message: notice }, ...timed];
  }

  #chunkOf(line: Json): Json {
    const { message, done, done_reason: reason, model } = line;
    const { content, thinking, tool_calls: calls } = recordOf(message);
    const isDone = done === true;
    return {
      model,
      choices: [
        {
          delta: {
            content,
            ...(textIn(thinking) ? { reasoning: thinking } : {}),
            tool_calls: listOf(calls).flatMap((call) => this.#numbered(call) ?? []),
          },
          finish_reason: isDone ? (textIn(reason) ?? "stop") : null,
        },
      ],
      ...(isDone ? { usage: usageOf(line) } : {}),
    };
  }

  /**
   * A call is never cut into pieces, and its index may be missing or start anew in each line: each gets its own. Undefined
   * for one that the last line repeats.
   */
  #numbered(call: unknown): Json | undefined {
    const { id, function: fn } = recordOf(call);
    const key = textIn(id) && JSON.stringify([id, fn]);
    if (key !== undefined && this.#seen.has(key)) return undefined;
    if (key !== undefined) this.#seen.add(key);
    const index = this.#calls;
    this.#calls += 1;
    return { index, id, function: fn };
  }
}

/** Durations are in nanoseconds. */
function speedOf(line: Json): Speed | undefined {
  const firstNs = countOf(line["load_duration"]) + countOf(line["prompt_eval_duration"]);
  const evalNs = countOf(line["eval_duration"]);
  if (firstNs === 0 && evalNs === 0) return undefined;
  return {
    ...(firstNs > 0 ? { firstTokenMs: firstNs / 1e6 } : {}),
    ...(evalNs > 0 ? { tokensPerSecond: (countOf(line["eval_count"]) * 1e9) / evalNs } : {}),
  };
}

function usageOf(line: Json): Json {
  return {
    prompt_tokens: countOf(line["prompt_eval_count"]),
    completion_tokens: countOf(line["eval_count"]),
  };
}
