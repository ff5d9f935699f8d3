import type { Effort } from "../protocol/settings.ts";
import type { ListedModel } from "./listed-model.ts";
import { spellingsOf } from "./model-names.ts";
import rules from "./models.yaml";
import type { ModelInfo } from "./types.ts";

type ModelRule = {
  match: string[];
  /** Only at these providers. */
  at?: string[];
  window: number;
  images?: boolean;
  freeformPatch?: boolean;
  efforts?: Effort[];
  effort?: Effort;
  maxOutput?: number;
};

export type ModelOverrides = {
  /** Id of the provider. */
  provider?: string;
  /** The server runs on this machine: it rarely loads a model with the whole window that the model was made for. */
  isLocal: boolean;
  /** Tokens. */
  contextWindow?: number;
  /** Tokens. */
  toolOutputLimit?: number;
  /** What the server says of it: newer than what is built in. */
  listed?: ListedModel;
};

const RULES: readonly ModelRule[] = rules;

const UNKNOWN_WINDOW = 272_000;
const LOCAL_WINDOW = 32_768;
/** Below this window, 10,000 tokens of one tool's output would crowd out the rest. */
const WIDE_WINDOW = 100_000;
const BYTES_PER_TOKEN = 4;

/** What is known of a model: the user's own numbers, then the server's, then ours. */
export function modelInfo(id: string, overrides: ModelOverrides): ModelInfo {
  const rule = ruleFor(id, overrides.provider);
  const { listed, isLocal } = overrides;
  const known = rule !== undefined || listed?.contextWindow !== undefined;
  const window = rule?.window ?? UNKNOWN_WINDOW;
  const usualWindow = isLocal ? Math.min(window, LOCAL_WINDOW) : window;
  const contextWindow = overrides.contextWindow ?? listed?.contextWindow ?? usualWindow;
  return {
    id,
    label: listed?.label ?? id,
    contextWindow,
    maxOutput: rule?.maxOutput,
    efforts: rule?.efforts ?? [],
    defaultEffort: rule?.effort,
    images: listed?.images ?? (rule ? rule.images === true : true),
    tools: listed?.tools ?? true,
    freeformPatch: rule?.freeformPatch === true,
    parallelToolCalls: true,
    truncation: truncationFor(known && (listed?.contextWindow ?? window) >= WIDE_WINDOW, overrides),
    known,
  };
}

function ruleFor(id: string, provider: string | undefined): ModelRule | undefined {
  const names = spellingsOf(id);
  return RULES.find(
    ({ match, at }) =>
      (at === undefined || (provider !== undefined && at.includes(provider))) &&
      match.some((pattern) => names.some((name) => matches(pattern, name))),
  );
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function truncationFor(
  isWide: boolean,
  { isLocal, toolOutputLimit }: ModelOverrides,
): ModelInfo["truncation"] {
  if (isWide && !isLocal) return { unit: "tokens", limit: toolOutputLimit ?? 10_000 };
  return {
    unit: "bytes",
    limit: toolOutputLimit === undefined ? 10_000 : toolOutputLimit * BYTES_PER_TOKEN,
  };
}
