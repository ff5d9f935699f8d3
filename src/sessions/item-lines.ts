import type {
  ImagePart,
  Item,
  MessageItem,
  Part,
  ReasoningItem,
  ToolCall,
  ToolInput,
  ToolResultItem,
} from "../protocol/items.ts";
import { isRecord, type Json } from "../util/json.ts";
import { listAt, numberAt, objectAt, textAt, valueAt, withoutUndefined, wordAt } from "./json.ts";

/** An item in the form of the Responses API, and beside it what that form has no field for. */
export type ItemLine = { payload: unknown; metadata?: Json };

const ROLES = ["system", "developer", "user", "assistant"] as const;
const PHASES = ["commentary", "final_answer"] as const;
const WIRES = ["responses", "chat", "messages"] as const;
const DETAILS = ["low", "high", "auto"] as const;
/** Calls that a provider ran itself. */
const HOSTED = new Set([
  "web_search_call",
  "file_search_call",
  "image_generation_call",
  "code_interpreter_call",
  "mcp_call",
  "compaction",
]);

/** `inputOf` tells how the call with this id was written, as a result's type depends on it. */
export function encodeItem(item: Item, inputOf: (callId: string) => ToolInput["kind"] | undefined): ItemLine {
  switch (item.type) {
    case "message":
      return withMetadata(
        withoutUndefined({
          type: "message",
          id: item.id,
          role: item.role,
          content: item.content.map(encodePart),
        }),
        { phase: item.phase },
      );
    case "reasoning":
      return encodeReasoning(item);
    case "tool_call":
      return withMetadata(encodeCall(item), { sealed: item.sealed });
    case "tool_result": {
      const type = inputOf(item.callId) === "text" ? "custom_tool_call_output" : "function_call_output";
      const payload = { type, call_id: item.callId, output: encodeOutput(item.content) };
      return { payload, metadata: { ok: item.ok } };
    }
    case "compaction":
      return {
        payload: { type: "compaction", summary: item.summary },
        metadata: { replaced: item.replaced },
      };
    case "opaque":
      return { payload: item.raw, metadata: { opaque_wire: item.wire } };
  }
}

/** "unknown": a kind of item that we have no use for. "broken": a known kind without what it needs. */
export function decodeItem(payload: unknown, metadata: Json = {}): Item | "unknown" | "broken" {
  const wire = wordAt(metadata, "opaque_wire", WIRES);
  if (wire !== undefined) return { type: "opaque", wire, raw: payload };
  if (!isRecord(payload)) return "broken";
  const type = textAt(payload, "type");
  switch (type) {
    case undefined:
      return "broken";
    case "message":
      return decodeMessage(payload, metadata);
    case "reasoning":
      return decodeReasoning(payload, metadata);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return decodeCall(type, payload, metadata);
    case "function_call_output":
    case "custom_tool_call_output":
      return decodeResult(payload, metadata);
  }
  const summary = type === "compaction" ? textAt(payload, "summary") : undefined;
  if (summary !== undefined)
    return { type: "compaction", summary, replaced: numberAt(metadata, "replaced") ?? 0 };
  return HOSTED.has(type) ? { type: "opaque", wire: "responses", raw: payload } : "unknown";
}

function withMetadata(payload: unknown, metadata: Json): ItemLine {
  const kept = withoutUndefined({ ...metadata });
  return Object.keys(kept).length === 0 ? { payload } : { payload, metadata: kept };
}

function encodePart(part: Part): Json {
  if (part.type !== "input_image") return { type: part.type, text: part.text };
  return withoutUndefined({ type: part.type, image_url: part.imageUrl, detail: part.detail });
}

function encodeReasoning(item: ReasoningItem): ItemLine {
  const payload = withoutUndefined({
    type: "reasoning",
    id: item.id,
    summary: item.summary.map((text) => ({ type: "summary_text", text })),
    content: item.text === undefined ? undefined : [{ type: "reasoning_text", text: item.text }],
    encrypted_content: item.sealed?.data,
  });
  return withMetadata(payload, { sealed_wire: item.sealed?.wire });
}

function encodeCall(call: ToolCall): Json {
  const { id, name, callId, input } = call;
  return input.kind === "json"
    ? withoutUndefined({ type: "function_call", id, name, arguments: input.raw, call_id: callId })
    : withoutUndefined({ type: "custom_tool_call", id, name, input: input.raw, call_id: callId });
}

function encodeOutput(content: readonly Part[]): string | Json[] {
  const [first] = content;
  return content.length === 1 && first?.type === "input_text" ? first.text : content.map(encodePart);
}

function decodeMessage(payload: Json, metadata: Json): MessageItem | "unknown" | "broken" {
  const role = wordAt(payload, "role", ROLES);
  const written = listAt(payload, "content");
  if (role === undefined || written === undefined) return "broken";
  const content = decodeParts(written);
  if (content.length === 0 && written.length > 0) return "unknown";
  const phase = wordAt(metadata, "phase", PHASES) ?? wordAt(payload, "phase", PHASES);
  return withoutUndefined<MessageItem>({ type: "message", role, content, id: textAt(payload, "id"), phase });
}

function decodeReasoning(payload: Json, metadata: Json): ReasoningItem {
  const content = listAt(payload, "content");
  const data = textAt(payload, "encrypted_content");
  const wire = wordAt(metadata, "sealed_wire", WIRES) ?? "responses";
  return withoutUndefined({
    type: "reasoning",
    summary: textsIn(listAt(payload, "summary") ?? []),
    text: content === undefined ? undefined : textsIn(content).join(""),
    sealed: data === undefined ? undefined : { wire, data },
    id: textAt(payload, "id"),
  });
}

function decodeCall(type: string, payload: Json, metadata: Json): ToolCall | "broken" {
  const callId = textAt(payload, "call_id") ?? textAt(payload, "id");
  const name = type === "local_shell_call" ? "local_shell" : textAt(payload, "name");
  const input = decodeInput(type, payload);
  if (callId === undefined || name === undefined || input === undefined) return "broken";
  const sealed = decodeSeal(objectAt(metadata, "sealed") ?? {});
  return withoutUndefined<ToolCall>({
    type: "tool_call",
    callId,
    name,
    input,
    sealed,
    id: textAt(payload, "id"),
  });
}

function decodeSeal(value: Json): ToolCall["sealed"] {
  const wire = wordAt(value, "wire", WIRES);
  const data = textAt(value, "data");
  return wire === undefined || data === undefined ? undefined : { wire, data };
}

function decodeInput(type: string, payload: Json): ToolInput | undefined {
  if (type === "local_shell_call")
    return { kind: "json", raw: JSON.stringify(valueAt(payload, "action") ?? {}) };
  const kind = type === "function_call" ? "json" : "text";
  const raw = textAt(payload, kind === "json" ? "arguments" : "input");
  return raw === undefined ? undefined : { kind, raw };
}

function decodeResult(payload: Json, metadata: Json): ToolResultItem | "broken" {
  const callId = textAt(payload, "call_id");
  const content = decodeOutput(valueAt(payload, "output"));
  if (callId === undefined || content === undefined) return "broken";
  return { type: "tool_result", callId, content, ok: valueAt(metadata, "ok") !== false };
}

function decodeOutput(output: unknown): Part[] | undefined {
  if (typeof output === "string") return [{ type: "input_text", text: output }];
  if (Array.isArray(output)) return decodeParts(output);
  // Files from before outputs could hold pictures: {content, success}.
  const content = isRecord(output) ? textAt(output, "content") : undefined;
  return content === undefined ? undefined : [{ type: "input_text", text: content }];
}

function decodeParts(values: readonly unknown[]): Part[] {
  return values.flatMap((value) => {
    const part = isRecord(value) ? decodePart(value) : undefined;
    return part === undefined ? [] : [part];
  });
}

function decodePart(value: Json): Part | undefined {
  const type = wordAt(value, "type", ["input_text", "output_text"]);
  const text = textAt(value, "text");
  if (type !== undefined) return text === undefined ? undefined : { type, text };
  const imageUrl = textAt(value, "image_url") ?? textAt(objectAt(value, "image_url") ?? {}, "url");
  if (valueAt(value, "type") !== "input_image" || imageUrl === undefined) return undefined;
  const image: ImagePart = { type: "input_image", imageUrl, detail: wordAt(value, "detail", DETAILS) };
  return withoutUndefined(image);
}

function textsIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => (isRecord(value) ? (textAt(value, "text") ?? []) : []));
}
