import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import { terminalSafe } from "../../util/untrusted-text.ts";

const LONGEST_TITLE = 160;

/** One line of a text that others wrote, short enough for a title. */
export function titleText(text: string): string {
  const [first = "", ...more] = terminalSafe(text).trim().split("\n");
  const isCut = first.length > LONGEST_TITLE;
  return `${isCut ? first.slice(0, LONGEST_TITLE) : first}${isCut || more.length > 0 ? " …" : ""}`;
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

/** The text word for word, inside a fence that is longer than any in it. */
export function fenced(text: string, language = ""): string {
  const ticks = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...ticks.map(({ length }) => length + 1)));
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
