import type { ModelInfo } from "../../providers/types.ts";
import type { TextBudget } from "../../util/truncate.ts";

const LARGEST_SHARE = 1 / 8;
const BYTES_PER_TOKEN = 4;

/** What is kept of one tool's output: the model's own limit, and of a small window no more than an eighth. */
export function outputLimit({ contextWindow, truncation }: ModelInfo): TextBudget {
  const { unit, limit } = truncation;
  const most = Math.floor(contextWindow * LARGEST_SHARE) * (unit === "bytes" ? BYTES_PER_TOKEN : 1);
  return { unit, limit: Math.min(limit, most) };
}
