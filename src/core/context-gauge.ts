import { estimateItemTokens, estimateTokens } from "../model/tokens.ts";
import type { Item } from "../protocol/items.ts";
import type { Usage } from "../protocol/usage.ts";

/**
 * How full the context window is, in tokens: what the server counted for its last answer, plus an estimate for what came
 * since. Servers that send no usage are estimated whole.
 */
export class ContextGauge {
  #counted: { tokens: number; items: number } | undefined;

  /** The server's count covers the first `items` items of history. */
  count(usage: Usage | undefined, items: number): void {
    const tokens = usage ? usage.input + usage.output : 0;
    if (tokens > 0) this.#counted = { tokens, items };
  }

  reset(): void {
    this.#counted = undefined;
  }

  tokens(instructions: string, items: readonly Item[]): number {
    if (!this.#counted) return sum(items) + estimateTokens(instructions);
    return this.#counted.tokens + sum(items.slice(this.#counted.items));
  }
}

function sum(items: readonly Item[]): number {
  return items.reduce((total, item) => total + estimateItemTokens(item), 0);
}
