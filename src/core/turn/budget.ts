import type { UsedUp } from "../../protocol/events.ts";
import { type Item, userText } from "../../protocol/items.ts";
import { addUsage, NO_USAGE, type Usage } from "../../protocol/usage.ts";

/** What may be used at most: answers of the model, tokens sent and written, money in the unit of the prices. */
export type Limits = { turns?: number; tokens?: number; cost?: number };
/** Per million tokens. */
export type Price = { input: number; cachedInput: number; output: number };
/** What has been used. */
export type Spent = { turns: number; usage: Usage };

export type BudgetReached = UsedUp & { message: string };

export type BudgetOptions = {
  /** For this run alone. */
  run: Limits;
  /** For the whole session, with what earlier runs have used of it. */
  session: Limits;
  before: Spent;
  /** Needed where cost is limited. */
  price?: Price;
};

const WARN_AT = 0.8;
const LIMITS = ["turns", "tokens", "cost"] as const;

/** Counts what a session uses of its budget. Tokens are input, cached or not, plus output: each counts once. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #warned = new Set<string>();
  #run: Spent = { turns: 0, usage: NO_USAGE };

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** One answer, with what it used. */
  spend(usage: Usage): void {
    this.#run = { turns: this.#run.turns + 1, usage: addUsage(this.#run.usage, usage) };
  }

  get reached(): BudgetReached | undefined {
    const gauge = this.#gauges().find(({ used, max }) => used >= max);
    if (!gauge) return undefined;
    const name = gauge.scope === "run" ? `--max-${gauge.limit}` : `budget.max_${gauge.limit}`;
    const message = `stopped: the budget of this ${gauge.scope} is used up: ${amounts(gauge)} (${name})`;
    return { ...gauge, message };
  }

  /** Budgets of which four fifths are used, each reported once: a sentence for the user. */
  takeWarnings(): string[] {
    const near = this.#gauges().filter(
      (gauge) => gauge.used >= gauge.max * WARN_AT && !this.#warned.has(keyOf(gauge)),
    );
    for (const gauge of near) this.#warned.add(keyOf(gauge));
    return near.map((gauge) => `the budget of this ${gauge.scope} is nearly used up: ${amounts(gauge)}`);
  }

  #gauges(): UsedUp[] {
    const { run, session, before, price } = this.#options;
    const whole = {
      turns: before.turns + this.#run.turns,
      usage: addUsage(before.usage, this.#run.usage),
    };
    return [...gaugesOf("run", run, this.#run, price), ...gaugesOf("session", session, whole, price)];
  }
}

/** What the model hears when a budget is nearly used up. */
export function budgetReminder(warnings: readonly string[]): Item {
  return userText(
    `<budget_left>${warnings.join("; ")}. Finish what matters most and give your final answer before it ends.</budget_left>`,
  );
}

export function costOf({ input, cachedInput, output }: Usage, price: Price): number {
  const total = (input - cachedInput) * price.input + cachedInput * price.cachedInput + output * price.output;
  return total / 1_000_000;
}

function gaugesOf(
  scope: UsedUp["scope"],
  limits: Limits,
  { turns, usage }: Spent,
  price: Price | undefined,
): UsedUp[] {
  const used = {
    turns,
    tokens: usage.input + usage.output,
    cost: price ? costOf(usage, price) : 0,
  };
  return LIMITS.flatMap((limit) => {
    const max = limits[limit];
    return max === undefined ? [] : [{ scope, limit, used: used[limit], max }];
  });
}

function keyOf({ scope, limit }: UsedUp): string {
  return `${scope} ${limit}`;
}

function amounts({ limit, used, max }: UsedUp): string {
  const unit = { turns: "model requests", tokens: "tokens", cost: "cost" }[limit];
  const number = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 4 });
  return `${number(used)} of ${number(max)} ${unit}`;
}
