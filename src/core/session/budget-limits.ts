import type { LoadedConfig } from "../../config/load.ts";
import { AppError } from "../../util/errors.ts";
import { Budget, type Limits, type Price, type Spent } from "../turn/budget.ts";

/** The budget of a session, from its configuration and the options of this run. Throws AppError "config". */
export function budgetOf({ values }: LoadedConfig, run: Limits, model: string, before: Spent): Budget {
  const { max_turns: turns, max_tokens: tokens, max_cost: cost } = values.budget;
  const session = {
    ...(turns === undefined ? {} : { turns }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { cost }),
  };
  const price = priceOf(values, model);
  if (!price && (run.cost ?? cost) !== undefined) {
    throw new AppError(
      "config",
      `${run.cost === undefined ? "budget.max_cost" : "--max-cost"} needs the prices of ${model}, and none are configured`,
      {
        hint: `add to config.toml, per million tokens: model_prices.${JSON.stringify(model)} = { input = 0.5, cached_input = 0.05, output = 2.0 }`,
      },
    );
  }
  return new Budget({ run, session, before, ...(price ? { price } : {}) });
}

/** What a model costs, where the configuration says so. */
export function priceOf({ model_prices }: LoadedConfig["values"], model: string): Price | undefined {
  const price = Object.hasOwn(model_prices, model) ? model_prices[model] : undefined;
  if (!price) return undefined;
  return { input: price.input, cachedInput: price.cached_input ?? price.input, output: price.output };
}
