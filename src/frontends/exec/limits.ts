import type { Limits } from "../../core/turn/budget.ts";
import type { Parsed } from "../../util/args.ts";
import { AppError } from "../../util/errors.ts";
import type { ExecOption } from "./options.ts";

/** What the options --max-turns, --max-tokens and --max-cost allow this run. Throws AppError "usage". */
export function runLimits(options: Parsed<ExecOption>): Limits {
  const turns = limit(options, "max-turns", "N", true);
  const tokens = limit(options, "max-tokens", "N", true);
  const cost = limit(options, "max-cost", "AMOUNT", false);
  return {
    ...(turns === undefined ? {} : { turns }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}

function limit(
  options: Parsed<ExecOption>,
  name: "max-turns" | "max-tokens" | "max-cost",
  unit: string,
  isWhole: boolean,
): number | undefined {
  const text = options.value(name);
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text.replaceAll("_", ""));
  if (Number.isFinite(value) && value > 0 && (!isWhole || Number.isSafeInteger(value))) return value;
  const wanted = isWhole ? "a whole number above 0" : "a number above 0";
  throw new AppError("usage", `invalid value '${text}' for '--${name} <${unit}>': ${wanted} was expected`, {
    hint: isWhole
      ? `for example --${name} ${name === "max-turns" ? 40 : 200_000}`
      : `for example --${name} 0.50`,
  });
}
