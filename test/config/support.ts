import { type LoadedConfig, loadConfig } from "../../src/config/load.ts";
import { parseOverride } from "../../src/config/overrides.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import type { TempHome } from "../support/home.ts";

type LoadOptions = Parameters<typeof loadConfig>[0];

/** Loads with the home's environment; `set` are texts of `-c`. */
export function load(
  home: TempHome,
  { set = [], ...options }: Partial<LoadOptions> & { set?: readonly string[] } = {},
): Promise<LoadedConfig> {
  return loadConfig({
    env: home.env,
    cwd: home.cwd,
    overrides: set.map(parseOverride),
    systemFile: `${home.path}/no-system-file.toml`,
    ...options,
  });
}

/** What is refused, with the home folder as `~`. */
export async function refusal(
  home: TempHome,
  work: Promise<unknown>,
): Promise<{ message: string; hint?: string }> {
  const error = await work.then(
    () => {
      throw new Error("nothing was refused");
    },
    (cause: unknown) => toErrorInfo(cause),
  );
  if (error.code !== "config")
    throw new Error(`wanted a config error, found ${error.code}: ${error.message}`);
  const message = error.message.replaceAll(home.path, "~");
  return error.hint === undefined ? { message } : { message, hint: error.hint.replaceAll(home.path, "~") };
}
