import { estimateItemTokens } from "../../model/tokens.ts";
import type { Item } from "../../protocol/items.ts";
import { addUsage, NO_USAGE, type Usage } from "../../protocol/usage.ts";
import type { Budget } from "./budget.ts";

export type LedgerOptions = {
  /** What earlier runs have used. */
  usage: Usage;
  budget: Pick<Budget, "spend" | "reached" | "takeWarnings">;
  /** Tokens of what every request holds beside history: instructions and tools. Only asked where the server counts nothing. */
  fixedTokens(): number;
};

/**
 * Counts what the model's answers use: their sum, the budget, and how full the context window is. Where a server reports
 * no usage, the last two are estimated.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  #total: Usage;
  /** Items of history that the last request held. */
  #sent = 0;
  /** The server's own count, and how many items of history it covers. */
  #counted: { tokens: number; items: number } | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#total = options.usage;
  }

  /** As far as servers have reported it. */
  get total(): Usage {
    return this.#total;
  }

  get usedTokens(): number {
    return this.#total.input + this.#total.output;
  }

  get budget(): LedgerOptions["budget"] {
    return this.#options.budget;
  }

  /** A request goes out that holds this many items of history. */
  send(items: number): void {
    this.#sent = items;
  }

  /** An answer has come; `items` is history with it. Returns what was reported. */
  account(usage: Usage | undefined, items: readonly Item[]): Usage {
    const tokens = usage ? usage.input + usage.output : 0;
    this.#options.budget.spend(usage && tokens > 0 ? usage : this.#estimate(items));
    if (tokens > 0) this.#counted = { tokens, items: items.length };
    this.#total = addUsage(this.#total, usage ?? NO_USAGE);
    return usage ?? NO_USAGE;
  }

  /** An answer of a child agent, which has counted it in the budget that they share; it is not part of this history. */
  accountChild(usage: Usage): void {
    this.#total = addUsage(this.#total, usage);
  }

  /** History is another one now. */
  restart(): void {
    this.#counted = undefined;
  }

  /** Tokens that a request with these items takes: what the server counted last, and an estimate of what came since. */
  windowTokens(items: readonly Item[]): number {
    if (!this.#counted) return this.#options.fixedTokens() + sum(items);
    return this.#counted.tokens + sum(items.slice(this.#counted.items));
  }

  #estimate(items: readonly Item[]): Usage {
    const input = this.#options.fixedTokens() + sum(items.slice(0, this.#sent));
    return { ...NO_USAGE, input, output: sum(items.slice(this.#sent)) };
  }
}

function sum(items: readonly Item[]): number {
  return items.reduce((total, item) => total + estimateItemTokens(item), 0);
}
