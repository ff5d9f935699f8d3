import type { Effort } from "../protocol/events.ts";
import rules from "./models.yaml";
import type { ModelInfo } from "./types.ts";

type ModelRule = {
  match: string[];
  window: number;
  images?: boolean;
  freeformPatch?: boolean;
  efforts?: Effort[];
  effort?: Effort;
  maxOutput?: number;
};

export type ModelOverrides = {
  /** The server runs on this machine: it rarely loads a model with the whole window that the model was made for. */
  isLocal: boolean;
  /** Tokens. */
  contextWindow?: number;
  /** Tokens. */
  toolOutputLimit?: number;
};

const known: readonly ModelRule[] = rules;

const UNKNOWN_WINDOW = 272_000;
const LOCAL_WINDOW = 32_768;
/** Below this window, 10,000 tokens of one tool's output would crowd out the rest. */
const WIDE_WINDOW = 100_000;
const BYTES_PER_TOKEN = 4;

/** What is known of a model, with the user's own numbers in place of ours. */
export function modelInfo(id: string, overrides: ModelOverrides): ModelInfo {
  const rule = ruleFor(id);
  const window = rule?.window ?? UNKNOWN_WINDOW;
  return {
    id,
    label: id,
    contextWindow: overrides.contextWindow ?? (overrides.isLocal ? Math.min(window, LOCAL_WINDOW) : window),
    maxOutput: rule?.maxOutput,
    efforts: rule?.efforts ?? [],
    defaultEffort: rule?.effort,
    images: rule ? rule.images === true : true,
    tools: true,
    freeformPatch: rule?.freeformPatch === true,
    parallelToolCalls: true,
    truncation: truncationFor(rule, overrides),
    known: rule !== undefined,
  };
}

function ruleFor(id: string): ModelRule | undefined {
  const whole = id.trim().toLowerCase();
  const names = [whole, whole.slice(whole.lastIndexOf("/") + 1)];
  return known.find(({ match }) => match.some((pattern) => names.some((name) => matches(pattern, name))));
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function truncationFor(
  rule: ModelRule | undefined,
  { isLocal, toolOutputLimit }: ModelOverrides,
): ModelInfo["truncation"] {
  if (rule && rule.window >= WIDE_WINDOW && !isLocal)
    return { unit: "tokens", limit: toolOutputLimit ?? 10_000 };
  return {
    unit: "bytes",
    limit: toolOutputLimit === undefined ? 10_000 : toolOutputLimit * BYTES_PER_TOKEN,
  };
}
