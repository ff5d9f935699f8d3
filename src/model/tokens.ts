import type { Item, Part } from "../protocol/items.ts";
import { tokensIn } from "../util/truncate.ts";

/** What servers charge for a picture of ordinary size. */
const TOKENS_PER_IMAGE = 1_100;
/** Role, separators and names around each item. */
const TOKENS_PER_ITEM = 4;

/** A cheap guess for requests whose real count is not known yet; servers tell the real one afterwards. */
export function estimateTokens(text: string): number {
  return tokensIn(Buffer.byteLength(text));
}

/** Tokens of one item of history, with what stands around it in a request. */
export function estimateItemTokens(item: Item): number {
  return TOKENS_PER_ITEM + contentTokens(item);
}

function contentTokens(item: Item): number {
  switch (item.type) {
    case "message":
    case "tool_result":
      return partTokens(item.content);
    case "reasoning":
      return estimateTokens(item.text ?? "") + estimateTokens(item.sealed?.data ?? "");
    case "tool_call":
      return estimateTokens(item.name) + estimateTokens(item.input.raw);
    case "compaction":
      return estimateTokens(item.summary);
    case "opaque":
      return estimateTokens(JSON.stringify(item.raw) ?? "");
  }
}

function partTokens(content: readonly Part[]): number {
  return content.reduce(
    (total, part) => total + (part.type === "input_image" ? TOKENS_PER_IMAGE : estimateTokens(part.text)),
    0,
  );
}
