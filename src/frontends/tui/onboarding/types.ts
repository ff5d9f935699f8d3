import type { LoadedConfig } from "../../../config/load.ts";

export type Env = Readonly<Record<string, string | undefined>>;
export type Around = { config: LoadedConfig; env: Env; signal: AbortSignal };
export type Key = { variable: string; value: string };

/** What was chosen: keys of config.toml with their values, and a key to keep. */
export type Setup = {
  values: readonly (readonly [path: readonly string[], value: string | number])[];
  key?: Key;
};
