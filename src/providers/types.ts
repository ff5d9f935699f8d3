import type { Endpoint, ModelEvent, ModelRequest } from "../model/types.ts";
import type { WireApi } from "../protocol/items.ts";
import type { Effort } from "../protocol/settings.ts";

export interface Provider {
  readonly id: string;
  readonly label: string;
  readonly wire: WireApi;
  /** Where requests go; undefined when none do. */
  readonly baseUrl?: string;
  /** Times that a broken stream is asked for again, with a `retrying` event each. */
  readonly streamMaxRetries: number;
  readonly defaultHarness?: string;
  /** The server runs on this machine, as one of the servers that are known by name. */
  readonly isLocal: boolean;
  /** The model to use when none was named. */
  readonly defaultModel?: string;
  /** A variable that must not reach child processes, as it holds this provider's key. */
  readonly secretVariables: readonly string[];
  /** Throws AppError "auth" naming the variable that is missing. */
  endpoint(signal: AbortSignal): Promise<Endpoint>;
  /** Only for providers that need no network, such as the recorded demo: replaces the wire. */
  stream?(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  model(id: string): ModelInfo;
}

export type ModelInfo = {
  id: string;
  label: string;
  /** Tokens. */
  contextWindow: number;
  maxOutput?: number;
  efforts: readonly Effort[];
  defaultEffort?: Effort;
  images: boolean;
  tools: boolean;
  /** The model was trained with the free-form apply_patch tool. */
  freeformPatch: boolean;
  parallelToolCalls: boolean;
  /** How much of a tool's output is kept in history. */
  truncation: { unit: "bytes" | "tokens"; limit: number };
  /** False when nothing is known of this model and the numbers are fallbacks. */
  known: boolean;
};
