import { featureEnabled } from "../config/features.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { HarnessFlags } from "../harness/flags.ts";
import type { JsonSchema } from "../model/types.ts";
import type { ModelInfo } from "../providers/types.ts";
import { DEFAULT_COMPACT_PROMPT } from "./compact.ts";
import type { Posture } from "./posture.ts";
import type { SessionSettings } from "./settings.ts";

export type SettingsSource = {
  config: LoadedConfig;
  cwd: string;
  posture: Posture;
  model: ModelInfo;
  compactPrompt: string | undefined;
  outputSchema: JsonSchema | undefined;
};

/** The part of the window that history may fill before it is compacted. */
const COMPACT_SHARE = 0.9;

export function sessionSettings(source: SettingsSource): SessionSettings {
  const { config, cwd, posture, model, compactPrompt, outputSchema } = source;
  const { values } = config;
  const most = Math.floor(model.contextWindow * COMPACT_SHARE);
  return {
    cwd,
    ...posture,
    hideReasoning: values.hide_agent_reasoning,
    compactAt: Math.min(values.model_auto_compact_token_limit ?? most, most),
    compactPrompt: compactPrompt ?? DEFAULT_COMPACT_PROMPT,
    ...(values.model_reasoning_effort ? { effort: values.model_reasoning_effort } : {}),
    ...(values.model_reasoning_summary ? { summary: values.model_reasoning_summary } : {}),
    ...(values.model_verbosity ? { verbosity: values.model_verbosity } : {}),
    ...(outputSchema ? { outputSchema } : {}),
  };
}

/** Which tools a harness offers in this session. A review has only those that look. */
export function toolFlags({ values }: LoadedConfig, model: ModelInfo, isReview: boolean): HarnessFlags {
  return {
    unified_exec: featureEnabled(values.features, "unified_exec"),
    freeform_patch: model.freeformPatch && !isReview,
    update_plan: values.tools.update_plan.enabled && !isReview,
    images:
      model.images && values.tools.view_image !== false && featureEnabled(values.features, "view_image"),
  };
}
