import { type Item, textOf } from "../protocol/items.ts";
import { estimateTokens } from "./tokens.ts";
import type { ModelRequest } from "./types.ts";

/** Below this, in tokens, an estimate says nothing about what a server left out. */
const LEAST_JUDGED = 1_500;
/** A server that counted less than this share of the estimate has cut the prompt. */
const CUT_SHARE = 0.5;

/**
 * What to tell the user when a server read far fewer tokens than were sent: it has cut the prompt without a word.
 * Undefined when nothing points to that. `counted`: what the server says that it has read; `remedy`: what helps there.
 */
export function cutNotice(
  request: ModelRequest,
  counted: number | undefined,
  server: string,
  remedy: string,
): string | undefined {
  const sent = estimateRequest(request);
  if (counted === undefined || counted === 0 || sent < LEAST_JUDGED || counted >= sent * CUT_SHARE)
    return undefined;
  return (
    `${server} has read only ${counted} tokens of about ${sent} that were sent: it cut off the beginning of the ` +
    `conversation. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}`
  );
}

/** Tokens of a whole request, roughly. Long runs of blanks are few tokens, so that they must not count as text. */
export function estimateRequest({ instructions, items, tools }: ModelRequest): number {
  const texts = items.map(wordsOf);
  const all = [instructions, ...texts, tools.length > 0 ? JSON.stringify(tools) : ""].join("\n");
  return estimateTokens(all.replace(/(\s|[-=_*#.])\1+/g, "$1"));
}

function wordsOf(item: Item): string {
  switch (item.type) {
    case "message":
    case "tool_result":
      return textOf(item.content);
    case "tool_call":
      return item.input.raw;
    case "compaction":
      return item.summary;
    case "reasoning":
    case "opaque":
      return "";
  }
}
