import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
} from "openai/resources/chat/completions";
import type { FunctionDefinition } from "openai/resources/shared";
import {
  type ImagePart,
  type Part,
  type ReasoningItem,
  type ToolCall,
  type ToolResultItem,
  textOf,
} from "../../protocol/items.ts";
import { type Json, listOf, parseJson } from "../../util/json.ts";
import { fittingId } from "../call-ids.ts";
import type { ServerTraits } from "../converse.ts";
import { ABORTED, type Answer, arrange, type Entry, type Note } from "../dialogue.ts";
import { replayArguments } from "../tool-arguments.ts";
import type { MessageLayout, ModelRequest, Quirks, WireTool } from "../types.ts";
import { mergeSameRoles } from "./chat-roles.ts";
import { FREEFORM_SCHEMA, NO_OUTPUT, replayName, SCHEMA_NAME } from "./conventions.ts";
import { renamedUnknown } from "./unknown-calls.ts";

const IMAGES_FOLLOW = "[the image follows in the next message]";

const STREAMED = { stream: true } satisfies Partial<ChatCompletionCreateParamsStreaming>;
const STREAMED_WITH_USAGE = {
  ...STREAMED,
  stream_options: { include_usage: true },
} satisfies Partial<ChatCompletionCreateParamsStreaming>;

/** The body of a request to `/chat/completions`. */
export function chatBody(request: ModelRequest, { quirks, mergeRoles }: ServerTraits): Json {
  const { tools, outputSchema, verbosity, maxOutputTokens } = request;
  const messages = chatMessages(request, quirks);
  const format = { name: SCHEMA_NAME, schema: outputSchema, strict: true };
  return {
    model: request.model,
    messages: mergeRoles ? mergeSameRoles(messages) : messages,
    ...(tools.length > 0 ? toolOptions(request, quirks) : {}),
    ...(quirks.usageInStream === false ? STREAMED : STREAMED_WITH_USAGE),
    ...(maxOutputTokens === undefined ? {} : { [quirks.maxTokensField ?? "max_tokens"]: maxOutputTokens }),
    ...(outputSchema ? { response_format: { type: "json_schema", json_schema: format } } : {}),
    ...(verbosity ? { verbosity } : {}),
    ...effortOption(request, quirks),
  };
}

function toolOptions({ tools, parallelToolCalls, layout }: ModelRequest, quirks: Quirks): Json {
  return {
    tools: tools.map(
      (tool) =>
        ({
          type: "function",
          function: functionOf(tool, layout, quirks),
        }) satisfies ChatCompletionFunctionTool,
    ),
    ...(quirks.parallelToolCalls === false ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function functionOf(tool: WireTool, { toolStrict }: MessageLayout, quirks: Quirks): FunctionDefinition {
  const { name, description } = tool;
  if (tool.kind === "freeform") return { name, description, parameters: FREEFORM_SCHEMA };
  const isStrict = tool.strict !== undefined && toolStrict !== false && quirks.strictTools !== false;
  const parameters = tool.parameterless ? {} : { parameters: tool.parameters };
  return { name, description, ...parameters, ...(isStrict ? { strict: tool.strict } : {}) };
}

/** Only servers that are known to have the parameter get it: others refuse it, or take it for something else. */
function effortOption({ reasoning }: ModelRequest, { reasoningParam }: Quirks): Json {
  const effort = reasoning?.effort;
  if (effort === undefined) return {};
  switch (reasoningParam) {
    case "reasoning_effort":
      return { reasoning_effort: effort };
    case "enable_thinking":
      return { enable_thinking: effort !== "none" };
    case "thinking":
      return { thinking: { type: effort === "none" ? "disabled" : "enabled" } };
    case "none":
    case undefined:
      return {};
  }
}

/** Exactly one system message, first; each answer directly followed by the results of its calls. */
function chatMessages(request: ModelRequest, quirks: Quirks): Json[] {
  const { lead, entries } = arrange(request.items);
  const system = [request.instructions, ...lead].filter((text) => text !== "");
  const { layout } = request;
  const known = layout.unknownCall === undefined ? entries : renamedUnknown(entries, request);
  const conversation = joinedNotes(known, layout).flatMap((entry, index) => {
    const isFirstNote = layout.system === "first_user" && index === known.findIndex(isNote);
    return entryMessages(isFirstNote ? withSystem(entry, system) : entry, layout, quirks);
  });
  if (system.length === 0 || layout.system === "first_user") return conversation;
  const content = layout.system === "blocks" ? system.map(textPart) : system.join("\n\n");
  return [{ role: "system", content }, ...conversation];
}

function joinedNotes(entries: readonly Entry[], { mergeUserMessages }: MessageLayout): readonly Entry[] {
  if (!mergeUserMessages) return entries;
  const joined: Entry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    const isSame = entry.kind === "note" && last?.kind === "note" && last.role === entry.role;
    if (isSame) joined[joined.length - 1] = { ...last, content: [...last.content, ...entry.content] };
    else joined.push(entry);
  }
  return joined;
}

function isNote(entry: Entry): entry is Note {
  return entry.kind === "note";
}

function withSystem(entry: Entry, system: readonly string[]): Entry {
  if (entry.kind !== "note") return entry;
  const parts = system.map((text): Part => ({ type: "input_text", text: `${text}\n` }));
  return { ...entry, content: [...parts, ...entry.content] };
}

function entryMessages(entry: Entry, layout: MessageLayout, quirks: Quirks): Json[] {
  if (entry.kind === "answer" && layout.textCalls) return textMessages(entry, layout);
  if (entry.kind === "answer")
    return [...answerMessages(entry, layout, quirks), ...resultMessages(entry, layout, quirks)];
  const parts = layout.trimUserTrailingNewlines ? entry.content.map(trimmed) : entry.content;
  const asParts = layout.userContent === "parts" || (layout.mergeUserMessages && parts.length > 1);
  const content = contentOf(parts, asParts === true);
  return content.length === 0 ? [] : [{ role: noteRole(entry, layout, quirks), content }];
}

function noteRole({ role }: Note, { laterSystem }: MessageLayout, { developerRole }: Quirks): Note["role"] {
  if (role === "system" && laterSystem === "system") return "system";
  return role !== "user" && developerRole ? "developer" : "user";
}

function trimmed(part: Part): Part {
  return part.type === "input_image" ? part : { ...part, text: part.text.replace(/\n+$/, "") };
}

/** Text alone is one string, as not every server takes lists. */
function contentOf(parts: readonly Part[], asParts: boolean): string | Json[] {
  const filled = parts.filter((part) => part.type === "input_image" || part.text !== "");
  if (asParts || filled.some((part) => part.type === "input_image")) return filled.map(partOf);
  return filled.map((part) => (part.type === "input_image" ? "" : part.text)).join("\n");
}

function partOf(part: Part): Json {
  return part.type === "input_image"
    ? { type: "image_url", image_url: { url: part.imageUrl } }
    : textPart(part.text);
}

function textPart(text: string): Json {
  return { type: "text", text };
}

function answerMessages({ pieces }: Answer, layout: MessageLayout, quirks: Quirks): Json[] {
  const text = pieces.map((piece) => (piece.type === "message" ? textOf(piece.content) : "")).join("");
  const calls = pieces.filter((piece) => piece.type === "tool_call");
  const reasoning = reasoningOption(
    pieces.filter((piece) => piece.type === "reasoning"),
    calls.length > 0,
    layout,
    quirks,
  );
  if (calls.length === 0) {
    const isNothing = text === "" && Object.keys(reasoning).length === 0;
    return isNothing ? [] : [{ role: "assistant", content: text, ...reasoning }];
  }
  const toolCalls = calls.map((call) => callEntry(call, layout, quirks));
  if (layout.mergeAssistantTextWithCalls === false && text !== "") {
    return [
      { role: "assistant", content: text },
      { role: "assistant", content: null, ...reasoning, tool_calls: toolCalls },
    ];
  }
  const content = text === "" && layout.callsWithoutText !== "empty" ? null : text;
  return [{ role: "assistant", content, ...reasoning, tool_calls: toolCalls }];
}

/** Calls that stand in the answer's text already; what came of them is one message of the user. */
function textMessages({ pieces, results }: Answer, layout: MessageLayout): Json[] {
  const said = pieces.map((piece) => (piece.type === "message" ? textOf(piece.content) : "")).join("");
  const answer = said === "" ? [] : [{ role: "assistant", content: said }];
  if (results.length === 0) return answer;
  const parts = results.map(({ result }): Part => ({ type: "input_text", text: resultText(result, layout) }));
  const images = results.flatMap(({ result }) => imagesOf(result));
  return [...answer, { role: "user", content: contentOf([...parts, ...images], false) }];
}

/** Thoughts go back with the calls they led to: servers that need them need them there, others refuse them elsewhere. */
function reasoningOption(
  items: readonly ReasoningItem[],
  hasCalls: boolean,
  layout: MessageLayout,
  { reasoningField = "reasoning_content" }: Quirks,
): Json {
  if (reasoningField === "think_tags") return {};
  const text = items.map((item) => item.text ?? "").join("");
  if (layout.keepEmptyReasoning) return { [reasoningField]: text };
  if (!hasCalls) return {};
  const details = items.flatMap(({ sealed }) =>
    sealed?.wire === "chat" ? listOf(parseJson(sealed.data)) : [],
  );
  const sealed = details.length === 0 ? {} : { reasoning_details: details };
  if (text !== "") return { [reasoningField]: text, ...sealed };
  if (details.length > 0) return sealed;
  return layout.reasoningPlaceholder === undefined ? {} : { [reasoningField]: layout.reasoningPlaceholder };
}

function callEntry(call: ToolCall, layout: MessageLayout, quirks: Quirks): Json {
  const args = replayArguments(call.input, layout.compactArguments === true);
  const id = wireId(call.callId, layout, quirks);
  const extra = call.sealed?.wire === "chat" ? { extra_content: parseJson(call.sealed.data) } : {};
  return { id, type: "function", function: { name: replayName(call.name), arguments: args }, ...extra };
}

function wireId(id: string, layout: MessageLayout, quirks: Quirks): string {
  const own = layout.toolCallId === "underscore" ? id.replace(/[^A-Za-z0-9_-]/g, "_") : id;
  return fittingId(own, quirks.toolCallIdPattern);
}

/** Pictures can't stand in a tool message; they follow in a message of the user, after the last result. */
function resultMessages({ results }: Answer, layout: MessageLayout, quirks: Quirks): Json[] {
  const images = results.flatMap(({ result }) => imagesOf(result));
  const messages = results.map(({ call, result }) => {
    const content =
      layout.resultContent === "parts" ? resultParts(result, layout) : resultText(result, layout);
    return { role: "tool", tool_call_id: wireId(call.callId, layout, quirks), content };
  });
  return images.length === 0 ? messages : [...messages, { role: "user", content: images.map(partOf) }];
}

function imagesOf(result: ToolResultItem | undefined): ImagePart[] {
  return (result?.content ?? []).flatMap((part) => (part.type === "input_image" ? [part] : []));
}

function resultText(result: ToolResultItem | undefined, layout: MessageLayout): string {
  const text = resultTexts(result).join("\n");
  return text === "" && !layout.keepEmptyToolOutput ? NO_OUTPUT : text;
}

function resultParts(result: ToolResultItem | undefined, layout: MessageLayout): Json[] {
  const texts = resultTexts(result);
  return texts.length > 1 ? texts.map(textPart) : [textPart(resultText(result, layout))];
}

function resultTexts(result: ToolResultItem | undefined): string[] {
  if (!result) return [ABORTED];
  const texts = result.content.map((part) => (part.type === "input_image" ? IMAGES_FOLLOW : part.text));
  return texts.filter((line) => line !== "");
}
