import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import { isContextFragment } from "../../core/prompt-context/fragments.ts";
import {
  type Item,
  type Part,
  type ReasoningItem,
  type ToolCall,
  type ToolResultItem,
  textOf,
} from "../../protocol/items.ts";
import { uuidV7 } from "../../util/ids.ts";
import { truncateMiddle } from "../../util/truncate.ts";
import { viewOfCall } from "./call-view.ts";
import { fenced, textContent } from "./texts.ts";

const MOST_RESULT = 8 * 1024;

/** What was said and done before, as updates. The record has what the model saw, so calls are shown by their results. */
export function replayOf(history: readonly Item[], cwd: string): SessionUpdate[] {
  const results = new Map<string, ToolResultItem[]>();
  for (const item of history)
    if (item.type === "tool_result") results.set(item.callId, [...(results.get(item.callId) ?? []), item]);
  const ids = new Map<string, number>();
  return history.flatMap((item): SessionUpdate[] => {
    if (item.type === "message") return messageUpdates(item.role, item.content, isContextFragment(item));
    if (item.type === "reasoning") return thoughtUpdates(item);
    if (item.type !== "tool_call") return [];
    const count = (ids.get(item.callId) ?? 0) + 1;
    ids.set(item.callId, count);
    const id = count === 1 ? item.callId : `${item.callId}#${count}`;
    return callUpdates(item, id, results.get(item.callId)?.shift(), cwd);
  });
}

function thoughtUpdates({ summary, text = "" }: ReasoningItem): SessionUpdate[] {
  const thought = summary.length > 0 ? summary.join("\n\n") : text;
  return thought === "" ? [] : [chunk("agent_thought_chunk", thought)];
}

function messageUpdates(
  role: "system" | "developer" | "user" | "assistant",
  content: readonly Part[],
  isFragment: boolean,
): SessionUpdate[] {
  if (isFragment || role === "system" || role === "developer") return [];
  if (role === "assistant") {
    const text = textOf(content);
    return text === "" ? [] : [chunk("agent_message_chunk", text)];
  }
  const messageId = uuidV7();
  return content.flatMap((part): SessionUpdate[] => {
    const block = part.type === "input_image" ? imageBlock(part.imageUrl) : textBlock(part.text);
    return block ? [{ sessionUpdate: "user_message_chunk", content: block, messageId }] : [];
  });
}

function callUpdates(
  call: ToolCall,
  toolCallId: string,
  result: ToolResultItem | undefined,
  cwd: string,
): SessionUpdate[] {
  const view = viewOfCall(call, cwd);
  if (!view) return [];
  const text = result === undefined ? "" : textOf(result.content).trim();
  const content: ToolCallContent[] =
    text === "" ? [] : [textContent(fenced(truncateMiddle(text, { unit: "bytes", limit: MOST_RESULT })))];
  const status = result?.ok === false ? "failed" : "completed";
  return [{ sessionUpdate: "tool_call", toolCallId, ...view, name: call.name, status, content }];
}

function chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): SessionUpdate {
  return { sessionUpdate, content: textBlock(text), messageId: uuidV7() };
}

function textBlock(text: string) {
  return { type: "text", text } as const;
}

function imageBlock(url: string) {
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return mimeType === undefined || data === undefined
    ? undefined
    : ({ type: "image", mimeType, data } as const);
}
