import {
  type MessageItem,
  type Part,
  type ReasoningItem,
  type ToolCall,
  textOf,
} from "../../protocol/items.ts";
import { isRecord, type Json } from "../../util/json.ts";
import { fittingId } from "../call-ids.ts";
import type { ServerTraits } from "../converse.ts";
import { ABORTED, arrange, byCompletion, type Entry, type Outcome, type Piece } from "../dialogue.ts";
import { replayObject } from "../tool-arguments.ts";
import type { MessageLayout, ModelRequest, Quirks, WireTool } from "../types.ts";
import { FREEFORM_SCHEMA, NO_OUTPUT, replayName } from "./conventions.ts";

type Block = Record<string, unknown>;
type Message = { role: "user" | "assistant" | "system"; content: Block[] };

const CALL_ID_PATTERN = "^[a-zA-Z0-9_-]+$";
const CACHE_CONTROL = { type: "ephemeral" } as const;
/** One at the end of the conversation, one after the system text. */
const USUAL_BREAKPOINTS = 2;
const SMALL_OUTPUT = 8_192;
const LARGE_OUTPUT = 32_000;
/** Tokens for thinking, by effort. The server wants at least 1,024. */
const THINKING_BUDGET = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 24_576,
  xhigh: 31_744,
} as const;

/** The body of a request to `/messages`. */
export function messagesBody(request: ModelRequest, { quirks }: ServerTraits): Json {
  const { tools, outputSchema, layout } = request;
  const { lead, entries } = arrange(request.items);
  const system = systemTexts(request, lead).map(textBlock);
  const messages = entries
    .map((entry) => ordered(entry, request))
    .flatMap((entry) => entryMessages(entry, layout, quirks))
    .reduce(mergeRoles, []);
  markCacheBreakpoints(system, messages, layout.cacheBreakpoints ?? USUAL_BREAKPOINTS);
  const maxTokens = request.maxOutputTokens ?? defaultOutput(request.model);
  return {
    model: request.model,
    messages: messages.map((message) => plainMessage(message, layout)),
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools: tools.map(toolEntry) } : {}),
    ...(tools.length > 0 && !request.parallelToolCalls
      ? { tool_choice: { type: "auto", disable_parallel_tool_use: true } }
      : {}),
    max_tokens: maxTokens,
    ...thinkingOption(request, quirks, maxTokens),
    ...(outputSchema ? { output_config: { format: { type: "json_schema", schema: outputSchema } } } : {}),
    stream: true,
  };
}

function systemTexts({ instructions, instructionBlocks, layout }: ModelRequest, lead: string[]): string[] {
  const isBlocks = layout.system === "blocks";
  const texts = isBlocks && instructionBlocks ? withLead(instructionBlocks, lead) : [instructions, ...lead];
  const filled = texts.filter((text) => text !== "");
  return isBlocks || filled.length === 0 ? filled : [filled.join("\n\n")];
}

/** What comes after a harness's own blocks is part of the last one: models know how many there are. */
function withLead(blocks: readonly string[], lead: readonly string[]): string[] {
  return [...blocks.slice(0, -1), [...blocks.slice(-1), ...lead].join("\n\n")];
}

function ordered(entry: Entry, { layout, items }: ModelRequest): Entry {
  if (layout.resultOrder !== "completion" || entry.kind !== "answer" || entry.results.length < 2)
    return entry;
  return { ...entry, results: byCompletion(entry.results, items) };
}

function defaultOutput(model: string): number {
  return /claude/i.test(model) && !/claude-3-(5|opus|sonnet|haiku)/i.test(model)
    ? LARGE_OUTPUT
    : SMALL_OUTPUT;
}

function thinkingOption({ reasoning, extraBody }: ModelRequest, quirks: Quirks, maxTokens: number): Json {
  if ("thinking" in extraBody) return {};
  const effort = reasoning?.effort;
  if (effort === undefined || effort === "none" || quirks.reasoningParam === "none") return {};
  const budget = Math.min(THINKING_BUDGET[effort], Math.floor(maxTokens / 2));
  return budget < THINKING_BUDGET.minimal ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}

function toolEntry(tool: WireTool): Json {
  const { name, description } = tool;
  if (tool.kind === "freeform") return { name, description, input_schema: FREEFORM_SCHEMA };
  const deferred = tool.deferLoading ? { defer_loading: true } : {};
  return { name, description, input_schema: tool.parameters, ...deferred };
}

function entryMessages(entry: Entry, layout: MessageLayout, quirks: Quirks): Message[] {
  if (entry.kind === "note") {
    const content = entry.content.flatMap((part) =>
      partBlocks(part, layout.trimUserTrailingNewlines === true),
    );
    return [
      { role: entry.role === "system" && layout.laterSystem === "system" ? "system" : "user", content },
    ];
  }
  const content = entry.pieces.flatMap((piece) => pieceBlocks(piece, quirks));
  const results = entry.results.map((outcome) => resultBlock(outcome, layout, quirks));
  return [
    { role: "assistant", content },
    { role: "user", content: results },
  ];
}

/** Roles alternate on this wire, and results stand first in the message after their calls. */
function mergeRoles(messages: Message[], { role, content }: Message): Message[] {
  if (content.length === 0) return messages;
  const last = messages.at(-1);
  if (last?.role === role) last.content.push(...content);
  else messages.push({ role, content: [...content] });
  return messages;
}

function partBlocks(part: Part, trim: boolean): Block[] {
  if (part.type === "input_image") return [imageBlock(part.imageUrl)];
  const text = trim ? part.text.replace(/\n+$/, "") : part.text;
  return text.trim() === "" ? [] : [textBlock(text)];
}

function textBlock(text: string): Block {
  return { type: "text", text };
}

function imageBlock(url: string): Block {
  const match = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  if (!match) return { type: "image", source: { type: "url", url } };
  return { type: "image", source: { type: "base64", media_type: match[1], data: match[2] } };
}

function pieceBlocks(piece: Piece, quirks: Quirks): Block[] {
  switch (piece.type) {
    case "message":
      return messageBlocks(piece);
    case "reasoning":
      return thinkingBlocks(piece);
    case "tool_call":
      return [callBlock(piece, quirks)];
    case "opaque":
      return piece.wire === "messages" && isRecord(piece.raw) ? [{ ...piece.raw }] : [];
  }
}

function messageBlocks({ content }: MessageItem): Block[] {
  const text = textOf(content);
  return text.trim() === "" ? [] : [textBlock(text)];
}

/** Thoughts go back with the proof that came with them. Without text they came sealed as a whole. */
function thinkingBlocks({ text, sealed }: ReasoningItem): Block[] {
  if (sealed?.wire !== "messages") return [];
  if (text === undefined) return [{ type: "redacted_thinking", data: sealed.data }];
  return [{ type: "thinking", thinking: text, signature: sealed.data }];
}

function callBlock({ callId, name, input }: ToolCall, quirks: Quirks): Block {
  return { type: "tool_use", id: wireId(callId, quirks), name: replayName(name), input: replayObject(input) };
}

function resultBlock({ call, result }: Outcome, layout: MessageLayout, quirks: Quirks): Block {
  const id = wireId(call.callId, quirks);
  if (!result) return { type: "tool_result", tool_use_id: id, content: ABORTED, is_error: true };
  const hasImage = result.content.some((part) => part.type === "input_image");
  const hasParts = hasImage || (result.ok && layout.partResults?.includes(call.name));
  const text = textOf(result.content);
  const words = text === "" && !layout.keepEmptyToolOutput ? NO_OUTPUT : text;
  const parts = hasParts ? result.content.flatMap((part) => partBlocks(part, false)) : [];
  const content = parts.length > 0 ? parts : words;
  const marked = !result.ok || layout.marksSuccess?.includes(call.name);
  return { type: "tool_result", tool_use_id: id, content, ...(marked ? { is_error: !result.ok } : {}) };
}

function wireId(id: string, quirks: Quirks): string {
  const own = new RegExp(CALL_ID_PATTERN).test(id) ? id : id.replace(/[^a-zA-Z0-9_-]/g, "_");
  return fittingId(own, quirks.toolCallIdPattern);
}

/** Marks are given out from the end of the prompt: the newest message first, then the system blocks from last to first. */
function markCacheBreakpoints(system: Block[], messages: Message[], count: number): void {
  const newest = messages.findLast((message) => message.role !== "assistant")?.content.at(-1);
  const places = [...(newest ? [newest] : []), ...system.toReversed()];
  for (const block of places.slice(0, count)) block["cache_control"] = CACHE_CONTROL;
}

/** A message of one plain text is sent as a string. */
function plainMessage({ role, content }: Message, { userContent }: MessageLayout): Json {
  const [only, ...more] = content;
  const isPlain =
    !(userContent === "parts" && role === "user") &&
    only !== undefined &&
    more.length === 0 &&
    only["type"] === "text" &&
    only["cache_control"] === undefined;
  return { role, content: isPlain ? only["text"] : content };
}
