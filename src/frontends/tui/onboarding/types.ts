import type { LoadedConfig } from "../../../config/load.ts";

export type Env = Readonly<Record<string, string | undefined>>;
/** `ports`: where model servers are looked for on this machine, if not where they usually are. */
export type Around = { config: LoadedConfig; env: Env; signal: AbortSignal; ports?: readonly number[] };
export type Key = { variable: string; value: string };

/** What was chosen: keys of config.toml with their values, and a key to keep. */
export type Setup = {
  values: readonly (readonly [path: readonly string[], value: string | number])[];
  key?: Key;
};
