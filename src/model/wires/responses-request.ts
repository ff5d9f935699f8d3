import type {
  CustomTool,
  FunctionTool,
  ResponseCreateParamsStreaming,
} from "openai/resources/responses/responses";
import {
  type Item,
  type MessageItem,
  type Part,
  type ReasoningItem,
  type ToolCall,
  type ToolResultItem,
  textOf,
} from "../../protocol/items.ts";
import { isRecord, type Json } from "../../util/json.ts";
import { ABORTED } from "../dialogue.ts";
import { replayArguments } from "../tool-arguments.ts";
import type { ModelRequest, WireTool } from "../types.ts";
import { replayName, SCHEMA_NAME } from "./conventions.ts";

type InputKind = ToolCall["input"]["kind"];

/** The conversation is kept on this machine, not by the server. */
const KEPT_HERE = {
  tool_choice: "auto",
  store: false,
  stream: true,
  include: ["reasoning.encrypted_content"],
} satisfies Partial<ResponseCreateParamsStreaming>;

/** The body of a request to `/responses`. */
export function responsesBody(request: ModelRequest): Json {
  const { instructions, maxOutputTokens, cacheKey } = request;
  return {
    model: request.model,
    ...(instructions === "" ? {} : { instructions }),
    input: inputItems(request.items),
    tools: request.tools.map(toolEntry),
    ...KEPT_HERE,
    parallel_tool_calls: request.parallelToolCalls,
    ...reasoningOption(request),
    ...(cacheKey === undefined ? {} : { prompt_cache_key: cacheKey }),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...textOption(request),
  };
}

function reasoningOption({ reasoning }: ModelRequest): Json {
  const { effort, summary } = reasoning ?? {};
  const option = {
    ...(effort === undefined ? {} : { effort }),
    ...(summary === undefined || summary === "none" ? {} : { summary }),
  };
  return Object.keys(option).length === 0 ? {} : { reasoning: option };
}

function textOption({ verbosity, outputSchema }: ModelRequest): Json {
  if (verbosity === undefined && outputSchema === undefined) return {};
  const format = { type: "json_schema", strict: true, schema: outputSchema, name: SCHEMA_NAME };
  return {
    text: {
      ...(verbosity === undefined ? {} : { verbosity }),
      ...(outputSchema === undefined ? {} : { format }),
    },
  };
}

function toolEntry(tool: WireTool): Json {
  const { name, description } = tool;
  if (tool.kind === "function")
    return {
      type: "function",
      name,
      description,
      strict: tool.strict ?? false,
      parameters: tool.parameters,
    } satisfies FunctionTool;
  const format = tool.grammar && { type: "grammar" as const, ...tool.grammar };
  return { type: "custom", name, description, ...(format ? { format } : {}) } satisfies CustomTool;
}

/** Calls and results are paired by id; what has no partner would be refused, so it gets one or is left out. */
function inputItems(items: readonly Item[]): Json[] {
  const answered = new Set(items.flatMap((item) => (item.type === "tool_result" ? [item.callId] : [])));
  const kinds = new Map<string, InputKind>();
  const entries: Json[] = [];
  for (const item of items) {
    if (item.type === "tool_call") {
      kinds.set(item.callId, item.input.kind);
      entries.push(callEntry(item));
      if (!answered.has(item.callId)) entries.push(resultEntry(missingResult(item), item.input.kind));
    } else if (item.type === "tool_result") {
      const kind = kinds.get(item.callId);
      if (kind) entries.push(resultEntry(item, kind));
    } else {
      entries.push(...otherEntries(item));
    }
  }
  return entries;
}

function missingResult({ callId }: ToolCall): ToolResultItem {
  return { type: "tool_result", callId, content: [{ type: "input_text", text: ABORTED }], ok: false };
}

function otherEntries(item: Exclude<Item, ToolCall | ToolResultItem>): Json[] {
  switch (item.type) {
    case "message":
      return messageEntry(item);
    case "reasoning":
      return reasoningEntry(item);
    case "compaction":
      return [{ type: "message", role: "user", content: [{ type: "input_text", text: item.summary }] }];
    case "opaque":
      return item.wire === "responses" && isRecord(item.raw) ? [item.raw] : [];
  }
}

function messageEntry({ role, content, id, phase }: MessageItem): Json[] {
  const type = role === "assistant" ? "output_text" : "input_text";
  const parts = content.map((part) =>
    part.type === "input_image" ? imagePart(part) : { type, text: part.text },
  );
  if (parts.length === 0) return [];
  return [{ type: "message", role, content: parts, ...ownId(id, "msg"), ...(phase ? { phase } : {}) }];
}

function reasoningEntry({ summary, sealed, id }: ReasoningItem): Json[] {
  if (sealed?.wire !== "responses") return [];
  const texts = summary.map((text) => ({ type: "summary_text", text }));
  return [{ type: "reasoning", ...ownId(id, "rs"), summary: texts, encrypted_content: sealed.data }];
}

function callEntry({ callId, name, input, id }: ToolCall): Json {
  if (input.kind === "text")
    return {
      type: "custom_tool_call",
      ...ownId(id, "ctc"),
      call_id: callId,
      name: replayName(name),
      input: input.raw,
    };
  const args = replayArguments(input, false);
  return {
    type: "function_call",
    ...ownId(id, "fc"),
    call_id: callId,
    name: replayName(name),
    arguments: args,
  };
}

function resultEntry({ callId, content }: ToolResultItem, kind: InputKind): Json {
  const type = kind === "text" ? "custom_tool_call_output" : "function_call_output";
  const hasImage = content.some((part) => part.type === "input_image");
  const output = hasImage
    ? content.map((part) =>
        part.type === "input_image" ? imagePart(part) : { type: "input_text", text: part.text },
      )
    : textOf(content);
  return { type, call_id: callId, output };
}

function imagePart({ imageUrl, detail }: Extract<Part, { type: "input_image" }>): Json {
  return { type: "input_image", image_url: imageUrl, ...(detail ? { detail } : {}) };
}

/** Ids are sent back only where this wire made them, which shows in their prefix. */
function ownId(id: string | undefined, prefix: string): Json {
  return id?.startsWith(`${prefix}_`) ? { id } : {};
}
