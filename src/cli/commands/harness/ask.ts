import type { LoadedConfig } from "../../../config/load.ts";
import type { Io } from "../../../protocol/program.ts";

/** What an action gets: its words, its options, and the configuration that they make. */
export type Ask = {
  words: readonly string[];
  config: LoadedConfig;
  request: boolean;
  from: string | undefined;
  io: Io;
};
