import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import type { Override } from "./overrides.ts";

/** "unavailable": known from other programs that share these files; accepted, without effect here. */
export type FeatureStage =
  | "stable"
  | "experimental"
  | "under development"
  | "deprecated"
  | "removed"
  | "unavailable";
export type Feature = { stage: FeatureStage; enabled: boolean };

const STABLE = { stage: "stable", enabled: true } as const;
const STABLE_OFF = { stage: "stable", enabled: false } as const;
const EXPERIMENTAL = { stage: "experimental", enabled: false } as const;
const UNFINISHED = { stage: "under development", enabled: false } as const;
const DEPRECATED = { stage: "deprecated", enabled: false } as const;
const REMOVED = { stage: "removed", enabled: false } as const;
const UNAVAILABLE = { stage: "unavailable", enabled: false } as const;

/** Every feature name that a configuration may use, with its state when nothing is said about it. */
export const FEATURES = {
  shell_tool: STABLE,
  view_image: STABLE,
  view_image_tool: STABLE,
  unified_exec: STABLE,
  shell_snapshot: STABLE,
  hooks: STABLE,
  multi_agent: STABLE,
  skill_search: STABLE,
  skill_mcp_dependency_install: STABLE,
  mentions_v2: STABLE,
  guardian_approval: STABLE,
  goals: STABLE,
  plugins: STABLE,
  tool_suggest: STABLE,
  tool_call_mcp_elicitation: STABLE,
  auth_elicitation: STABLE,
  personality: STABLE,
  unbounded_connection_retries: STABLE,
  memories: STABLE_OFF,
  multi_agent_v2: STABLE_OFF,
  recommended_plugins: STABLE_OFF,
  secret_auth_storage: STABLE_OFF,
  network_proxy: EXPERIMENTAL,
  prevent_idle_sleep: EXPERIMENTAL,
  code_mode: UNFINISHED,
  code_mode_only: UNFINISHED,
  exec_permission_approvals: UNFINISHED,
  request_permissions_tool: UNFINISHED,
  token_budget: UNFINISHED,
  rollout_budget: UNFINISHED,
  shell_zsh_fork: UNFINISHED,
  deferred_executor: UNFINISHED,
  apply_patch_preserve_line_endings: UNFINISHED,
  apply_patch_streaming_events: UNFINISHED,
  apply_patch_freeform: UNFINISHED,
  standalone_web_search: UNFINISHED,
  default_mode_request_user_input: UNFINISHED,
  respect_system_proxy: UNFINISHED,
  use_legacy_landlock: DEPRECATED,
  web_search_request: DEPRECATED,
  web_search_cached: DEPRECATED,
  undo: REMOVED,
  js_repl: REMOVED,
  sqlite: REMOVED,
  steer: REMOVED,
  collaboration_modes: REMOVED,
  apps: UNAVAILABLE,
  code_mode_host: UNAVAILABLE,
  image_generation: UNAVAILABLE,
  fast_mode: UNAVAILABLE,
  enable_request_compression: UNAVAILABLE,
  remote_compaction_v2: UNAVAILABLE,
  workspace_dependencies: UNAVAILABLE,
  in_app_browser: UNAVAILABLE,
  in_app_updates: UNAVAILABLE,
  browser_use: UNAVAILABLE,
  browser_use_full_cdp_access: UNAVAILABLE,
  browser_use_external: UNAVAILABLE,
  computer_use: UNAVAILABLE,
  remote_plugin: UNAVAILABLE,
  plugin_sharing: UNAVAILABLE,
} as const satisfies Readonly<Record<string, Feature>>;

export type FeatureName = keyof typeof FEATURES;

export function isFeatureName(name: string): name is FeatureName {
  return Object.hasOwn(FEATURES, name);
}

/** What `[features]` says: a switch, or a table of settings whose `enabled` is the switch. */
export type FeatureSettings = Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>;

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

export function requireFeature(name: string): FeatureName {
  if (isFeatureName(name)) return name;
  const near = nearest(name, Object.keys(FEATURES), 3);
  const tip = near === undefined ? "" : `did you mean ${near}? `;
  throw new AppError("config", `Unknown feature flag: ${name}`, {
    hint: `${tip}'interpreter features list' shows all names`,
  });
}
