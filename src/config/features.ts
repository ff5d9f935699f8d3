import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import type { Override } from "./overrides.ts";

/** "unavailable", "removed": known from programs that share the same file; accepted, without effect here. */
type FeatureStage = "stable" | "unavailable" | "removed";
type Feature = { stage: FeatureStage; enabled: boolean };

const STABLE = { stage: "stable", enabled: true } as const;
const UNAVAILABLE = { stage: "unavailable", enabled: false } as const;
const REMOVED = { stage: "removed", enabled: false } as const;

/** Every feature name that a configuration may use, with its state when nothing is said about it. */
export const FEATURES = {
  multi_agent: STABLE,
  unified_exec: STABLE,
  view_image: STABLE,
  apply_patch_freeform: UNAVAILABLE,
  apply_patch_preserve_line_endings: UNAVAILABLE,
  apply_patch_streaming_events: UNAVAILABLE,
  apps: UNAVAILABLE,
  auth_elicitation: UNAVAILABLE,
  browser_use: UNAVAILABLE,
  browser_use_external: UNAVAILABLE,
  browser_use_full_cdp_access: UNAVAILABLE,
  code_mode: UNAVAILABLE,
  code_mode_host: UNAVAILABLE,
  code_mode_only: UNAVAILABLE,
  computer_use: UNAVAILABLE,
  default_mode_request_user_input: UNAVAILABLE,
  deferred_executor: UNAVAILABLE,
  enable_request_compression: UNAVAILABLE,
  exec_permission_approvals: UNAVAILABLE,
  fast_mode: UNAVAILABLE,
  goals: UNAVAILABLE,
  guardian_approval: UNAVAILABLE,
  hooks: UNAVAILABLE,
  image_generation: UNAVAILABLE,
  in_app_browser: UNAVAILABLE,
  in_app_updates: UNAVAILABLE,
  memories: UNAVAILABLE,
  mentions_v2: UNAVAILABLE,
  multi_agent_v2: UNAVAILABLE,
  network_proxy: UNAVAILABLE,
  personality: UNAVAILABLE,
  plugin_sharing: UNAVAILABLE,
  plugins: UNAVAILABLE,
  prevent_idle_sleep: UNAVAILABLE,
  recommended_plugins: UNAVAILABLE,
  remote_compaction_v2: UNAVAILABLE,
  remote_plugin: UNAVAILABLE,
  request_permissions_tool: UNAVAILABLE,
  respect_system_proxy: UNAVAILABLE,
  rollout_budget: UNAVAILABLE,
  secret_auth_storage: UNAVAILABLE,
  shell_snapshot: UNAVAILABLE,
  // Commands can always be run: there is no way yet to take that tool away.
  shell_tool: { stage: "unavailable", enabled: true },
  shell_zsh_fork: UNAVAILABLE,
  skill_mcp_dependency_install: UNAVAILABLE,
  skill_search: UNAVAILABLE,
  standalone_web_search: UNAVAILABLE,
  token_budget: UNAVAILABLE,
  tool_call_mcp_elicitation: UNAVAILABLE,
  tool_suggest: UNAVAILABLE,
  unbounded_connection_retries: UNAVAILABLE,
  view_image_tool: UNAVAILABLE,
  workspace_dependencies: UNAVAILABLE,
  collaboration_modes: REMOVED,
  js_repl: REMOVED,
  sqlite: REMOVED,
  steer: REMOVED,
  undo: REMOVED,
  use_legacy_landlock: REMOVED,
  web_search_cached: REMOVED,
  web_search_request: REMOVED,
} as const satisfies Readonly<Record<string, Feature>>;

export type FeatureName = keyof typeof FEATURES;

export function isFeatureName(name: string): name is FeatureName {
  return Object.hasOwn(FEATURES, name);
}

/** What `[features]` says: a switch, or a table of settings whose `enabled` is the switch. */
export type FeatureSettings = Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>;

/** Is the feature on: what the settings say, else its usual state. */
export function featureEnabled(settings: FeatureSettings, name: FeatureName): boolean {
  const setting = settings[name];
  if (typeof setting === "boolean") return setting;
  const enabled = setting?.["enabled"];
  return typeof enabled === "boolean" ? enabled : FEATURES[name].enabled;
}

/** `--enable NAME` or `--disable NAME`. Throws AppError "config" for a name that is not in the table. */
export function featureOverride(name: string, enabled: boolean): Override {
  requireFeature(name);
  return { path: ["features", name], option: enabled ? "--enable" : "--disable", set: enabled };
}

/** The name, when it is in the table. Throws AppError "config" with the nearest one. */
export function requireFeature(name: string): FeatureName {
  if (isFeatureName(name)) return name;
  const near = nearest(name, Object.keys(FEATURES), 3);
  const tip = near === undefined ? "" : `did you mean ${near}? `;
  throw new AppError("config", `Unknown feature flag: ${name}`, {
    hint: `${tip}'interpreter features list' shows all names`,
  });
}
