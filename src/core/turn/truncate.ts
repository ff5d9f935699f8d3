import type { Part } from "../../protocol/items.ts";
import { type TextBudget, truncateMiddle } from "../../util/truncate.ts";

/**
 * All texts of a tool result share one budget, the first ones are served first. Pictures are never left out. Texts for
 * which nothing is left are replaced by one note at the end.
 */
export function truncateContent(parts: readonly Part[], budget: TextBudget): Part[] {
  const kept: Part[] = [];
  let left = budget.limit;
  let omitted = 0;
  for (const part of parts) {
    if (part.type === "input_image") {
      kept.push(part);
      continue;
    }
    if (left <= 0) {
      omitted++;
      continue;
    }
    kept.push({ ...part, text: truncateMiddle(part.text, { unit: budget.unit, limit: left }) });
    left -= Buffer.byteLength(part.text) / (budget.unit === "tokens" ? 4 : 1);
  }
  if (omitted > 0) kept.push({ type: "input_text", text: `[omitted ${omitted} text items ...]` });
  return kept;
}
