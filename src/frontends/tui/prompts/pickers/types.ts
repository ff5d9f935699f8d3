import type { LoadedConfig } from "../../../../config/load.ts";

/** What a picker starts from. `current`: ids of the session that is open, if one is. */
export type Around = {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  current: { provider: string; model: string; harness: string } | undefined;
  signal: AbortSignal;
  /** Where model servers are looked for on this machine, if not where they usually are. */
  ports?: readonly number[];
};
