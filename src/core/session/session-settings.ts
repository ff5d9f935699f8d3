import { featureEnabled } from "../../config/features.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { HarnessFlags } from "../../harness/flags.ts";
import type { JsonSchema } from "../../model/types.ts";
import type { ModelInfo } from "../../providers/types.ts";
import { isNear } from "../../util/near-address.ts";
import { offersAgents } from "../agents/limits.ts";
import { DEFAULT_COMPACT_PROMPT } from "../turn/compact.ts";
import type { SessionSettings } from "../turn/settings.ts";
import type { Posture } from "./posture.ts";

export type SettingsSource = {
  config: LoadedConfig;
  cwd: string;
  posture: Posture;
  model: ModelInfo;
  compactPrompt: string | undefined;
  outputSchema: JsonSchema | undefined;
};

/** The part of the window that is kept free for the next answer; of a small window, more than of a large one. */
const FREE_SHARE = 0.1;
/** Tokens that an answer with one longer call takes. */
const ROOM_FOR_ANSWER = 4_096;
const MOST_FREE_SHARE = 0.25;
/** Of the user's own messages, this much survives a compaction. */
const KEPT_USER_TOKENS = 20_000;
const KEPT_USER_SHARE = 1 / 3;

export function sessionSettings(source: SettingsSource): SessionSettings {
  const { config, cwd, posture, model, compactPrompt, outputSchema } = source;
  const { values } = config;
  const most = fullAt(model.contextWindow);
  return {
    cwd,
    ...posture,
    hideReasoning: values.hide_agent_reasoning,
    rescueToolCalls: values.rescue_tool_calls,
    compactAt: Math.min(values.model_auto_compact_token_limit ?? most, most),
    keptUserTokens: Math.min(KEPT_USER_TOKENS, Math.floor(model.contextWindow * KEPT_USER_SHARE)),
    compactPrompt: compactPrompt ?? DEFAULT_COMPACT_PROMPT,
    ...(values.model_reasoning_effort ? { effort: values.model_reasoning_effort } : {}),
    ...(values.model_reasoning_summary ? { summary: values.model_reasoning_summary } : {}),
    ...(values.model_verbosity ? { verbosity: values.model_verbosity } : {}),
    ...(outputSchema ? { outputSchema } : {}),
  };
}

/** Tokens at which a window counts as full. */
function fullAt(window: number): number {
  const room = Math.min(ROOM_FOR_ANSWER, window * MOST_FREE_SHARE);
  return Math.floor(window - Math.max(window * FREE_SHARE, room));
}

/** Which tools a harness offers in this session. A review has only those that look. */
export function toolFlags(
  { values }: LoadedConfig,
  model: ModelInfo,
  { isReview, hasAsker = false }: { isReview: boolean; hasAsker?: boolean },
): HarnessFlags {
  return {
    unified_exec: featureEnabled(values.features, "unified_exec"),
    freeform_patch: model.freeformPatch && !isReview,
    update_plan: values.tools.update_plan.enabled && !isReview,
    web_search: searchAddress(values) !== undefined,
    images:
      model.images && values.tools.view_image !== false && featureEnabled(values.features, "view_image"),
    questions: hasAsker && !isReview,
    agents: !isReview && offersAgents(values, model.contextWindow),
  };
}

/** The search server that the user has set (`tools.web_search.url`); without one that may be asked there is no search. */
export function searchAddress(values: LoadedConfig["values"]): string | undefined {
  const { tools, web_search, air_gapped: isAirGapped } = values;
  const set = tools.web_search;
  if (web_search === "disabled" || typeof set !== "object" || set === null) return undefined;
  const url = "url" in set ? set["url"] : undefined;
  if (typeof url !== "string" || !/^https?:\/\//.test(url)) return undefined;
  return isAirGapped && !isNear(url) ? undefined : url;
}
