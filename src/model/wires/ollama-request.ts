import type { Effort } from "../../protocol/settings.ts";
import { isRecord, type Json, listOf, recordOf, textIn } from "../../util/json.ts";
import type { ServerTraits } from "../converse.ts";
import { replayObject } from "../tool-arguments.ts";
import type { ModelRequest } from "../types.ts";
import { chatBody } from "./chat-request.ts";

/** Sampling options that a harness may put into its request; on this API they stand in `options`. */
const SAMPLING = ["temperature", "top_p", "top_k", "min_p", "seed", "stop", "repeat_penalty"] as const;

/** The body of /api/chat: the chat wire's conversation, in the form that Ollama has for it. */
export function ollamaBody(request: ModelRequest, traits: ServerTraits): Json {
  const { ollama } = traits.quirks;
  const chat = chatBody(request, { ...traits, quirks: { ...traits.quirks, reasoningField: "reasoning" } });
  const think = thinkOption(request, ollama?.thinks);
  const hasTools = request.tools.length > 0;
  return {
    model: request.model,
    messages: nativeMessages(listOf(chat["messages"]), ollama?.images !== false),
    ...(hasTools ? { tools: chat["tools"] } : {}),
    // A constrained answer can't be a tool call, so the schema only counts where no tools are offered.
    ...(request.outputSchema && !hasTools ? { format: request.outputSchema } : {}),
    stream: true,
    ...(think === undefined ? {} : { think }),
    ...(ollama ? { keep_alive: ollama.keepAlive } : {}),
    // Rather an error than a prompt whose beginning was cut off without a word. Versions before 0.12 ignore both.
    truncate: false,
    shift: false,
    options: {
      ...(ollama ? { num_ctx: ollama.contextWindow } : {}),
      ...(request.maxOutputTokens === undefined ? {} : { num_predict: request.maxOutputTokens }),
      ...sampling(request.extraBody),
    },
  };
}

function sampling(extra: Json): Json {
  return Object.fromEntries(
    SAMPLING.flatMap((key) => (extra[key] === undefined || extra[key] === null ? [] : [[key, extra[key]]])),
  );
}

/** Without an effort the server decides. Only gpt-oss knows levels; with others, anything but "none" is on. */
function thinkOption({ model, reasoning }: ModelRequest, thinks: boolean | undefined): unknown {
  const effort = reasoning?.effort;
  if (thinks === false || effort === undefined) return undefined;
  if (!/gpt-oss/i.test(model)) return effort !== "none";
  return levelOf(effort);
}

function levelOf(effort: Effort): unknown {
  switch (effort) {
    case "none":
    case "minimal":
    case "low":
      return "low";
    case "medium":
      return "medium";
    case "high":
    case "xhigh":
      return "high";
  }
}

function nativeMessages(messages: readonly unknown[], sees: boolean): Json[] {
  const names = new Map<string, string>();
  return messages.filter(isRecord).map((message) => {
    const { role, content, tool_call_id: id, reasoning } = message;
    const calls = listOf(message["tool_calls"]).map((call) => nativeCall(call, names));
    const images = sees ? imagesIn(content) : [];
    return {
      role,
      content: textContent(content, sees),
      ...(textIn(reasoning) ? { thinking: reasoning } : {}),
      ...(images.length > 0 ? { images } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(typeof id === "string" ? { tool_call_id: id, tool_name: names.get(id) ?? "" } : {}),
    };
  });
}

/** Arguments are an object here; the text of one is refused. */
function nativeCall(call: unknown, names: Map<string, string>): Json {
  const { id } = recordOf(call);
  const { name, arguments: raw } = recordOf(recordOf(call)["function"]);
  if (typeof id === "string" && typeof name === "string") names.set(id, name);
  const args = replayObject({ kind: "json", raw: typeof raw === "string" ? raw : "{}" });
  return { id, function: { name, arguments: args } };
}

const AT_ADDRESS = "[an image at an address was left out: this server takes only the image itself]";
const UNSEEN = "[image left out: this model does not take images]";

function textContent(content: unknown, sees: boolean): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(recordOf)
    .map((part) => textIn(part["text"]) ?? imageNote(part, sees))
    .filter((text) => text !== "")
    .join("\n");
}

/** What stands in the text for a picture that is not sent. */
function imageNote(part: Json, sees: boolean): string {
  const url = textIn(recordOf(part["image_url"])["url"]);
  if (url === undefined) return "";
  if (!sees) return UNSEEN;
  return base64Of(url) === undefined ? AT_ADDRESS : "";
}

/** Plain base64, without the head of a data URL. */
function imagesIn(content: unknown): string[] {
  return listOf(content).flatMap((part) => {
    const image = base64Of(textIn(recordOf(recordOf(part)["image_url"])["url"]) ?? "");
    return image === undefined ? [] : [image];
  });
}

function base64Of(url: string): string | undefined {
  return /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
}
