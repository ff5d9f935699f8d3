import type { ModelInfo, Provider } from "../../providers/types.ts";

/** A model on a server of this machine, ready to be asked. */
export type LocalModel = {
  provider: Provider;
  model: ModelInfo;
  /** For a person, one line each. */
  warnings: string[];
  /** The context window in words: how large, and why. */
  window?: string;
};

export type LocalQuestion = {
  provider: Provider;
  /** The model that the user named. */
  named: string | undefined;
  /** `model_context_window`. */
  wantedWindow: number | undefined;
  isAirGapped: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** The settings folder, where what was learnt of a model is kept. */
  home: string;
};
