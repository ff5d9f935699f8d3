import { AppError } from "../../../util/errors.ts";

/** A name that config.toml and model servers take as it is. Throws AppError "config". */
export function checkedName(name: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return name;
  throw new AppError("config", `invalid server name '${name}'`, {
    hint: "use letters, digits, '-' and '_'",
  });
}
