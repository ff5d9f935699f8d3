/** The conversation as the model sees it. Every wire translates these items; nothing else is ever sent. */
export type TextPart = { type: "input_text" | "output_text"; text: string };
/** `imageUrl` is a data URL or an http(s) address. */
export type ImagePart = { type: "input_image"; imageUrl: string; detail?: "low" | "high" | "auto" };
export type Part = TextPart | ImagePart;

/** "ollama" is that server's own API; the others are spoken by many. */
export type WireApi = "responses" | "chat" | "messages" | "ollama";

export type MessageItem = {
  type: "message";
  role: "system" | "developer" | "user" | "assistant";
  content: Part[];
  id?: string;
  phase?: "commentary" | "final_answer";
};
export type ReasoningItem = {
  type: "reasoning";
  summary: string[];
  text?: string;
  sealed?: SealedReasoning;
  id?: string;
};
/**
 * `name` is the name the model wrote; `input.raw` are its own words, echoed back as they came. `sealed`: what a provider has
 * put beside the call and wants back.
 */
export type ToolCall = {
  type: "tool_call";
  callId: string;
  name: string;
  input: ToolInput;
  sealed?: SealedReasoning;
  id?: string;
};
export type ToolResultItem = { type: "tool_result"; callId: string; content: Part[]; ok: boolean };
/** A summary that stands for `replaced` earlier items. */
export type CompactionItem = { type: "compaction"; summary: string; replaced: number };
/** A hosted call of a provider: kept, echoed to the wire that made it, never read. */
export type OpaqueItem = { type: "opaque"; wire: WireApi; raw: unknown };

export type Item = MessageItem | ReasoningItem | ToolCall | ToolResultItem | CompactionItem | OpaqueItem;

/** Opaque provider proof of thinking (encrypted content or a signature). It is echoed only to the wire that made it. */
export type SealedReasoning = { wire: WireApi; data: string };
export type ToolInput = { kind: "json"; raw: string } | { kind: "text"; raw: string };

export function userText(text: string): MessageItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

export function developerText(text: string): MessageItem {
  return { type: "message", role: "developer", content: [{ type: "input_text", text }] };
}

export function assistantText(text: string): MessageItem {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
}

/** All text of a message or a tool result, parts joined without a separator; images are left out. */
export function textOf(content: readonly Part[]): string {
  return content.map((part) => (part.type === "input_image" ? "" : part.text)).join("");
}
