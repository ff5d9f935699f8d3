import { type Json, listOf } from "../../util/json.ts";

/** Joins neighbours of the same role, for chat templates that insist on turns. Tool messages stay as they are. */
export function mergeSameRoles(messages: readonly Json[]): Json[] {
  const merged: Json[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    const isPair = last !== undefined && last["role"] === message["role"] && message["role"] !== "tool";
    if (isPair && last["tool_calls"] === undefined) {
      merged[merged.length - 1] = {
        ...last,
        ...message,
        content: joined(last["content"], message["content"]),
      };
    } else {
      merged.push(message);
    }
  }
  return merged;
}

function joined(a: unknown, b: unknown): unknown {
  if (typeof a === "string" && typeof b === "string") return `${a}\n\n${b}`;
  if (a === null || a === "") return b;
  if (b === null || b === "") return a;
  return [...asParts(a), ...asParts(b)];
}

function asParts(content: unknown): readonly unknown[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
}
