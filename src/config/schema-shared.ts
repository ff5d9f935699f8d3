import { EFFORTS } from "../protocol/settings.ts";
import {
  anything,
  flag,
  integer,
  listOf,
  oneOf,
  openTable,
  optional,
  recordOf,
  table,
  text,
} from "./shape.ts";

const anyTable = recordOf(anything);

/**
 * Keys of programs that share this file: nothing here reads them. Those of a known kind are checked, so that a slip is told
 * where it was made; the others may hold anything.
 */
export const sharedKeys = {
  harness_guidance: optional(flag),
  plan_mode_reasoning_effort: optional(oneOf(...EFFORTS)),
  model_auto_compact_token_limit_scope: optional(oneOf("total", "body_after_prefix")),
  model_catalog_json: optional(text),
  review_model: optional(text),
  service_tier: optional(text),
  personality: optional(oneOf("none", "friendly", "pragmatic")),
  permissions: optional(
    recordOf(
      table({
        description: optional(text),
        extends: optional(text),
        /** Path or `:name` to "read", "write", "deny", or a table of sub-paths to these. */
        filesystem: optional(anyTable),
        network: optional(anyTable),
        workspace_roots: optional(recordOf(flag)),
      }),
    ),
  ),
  allow_login_shell: optional(flag),
  windows: optional(
    table({ sandbox: optional(oneOf("elevated", "unelevated")), sandbox_private_desktop: optional(flag) }),
  ),
  auto_review: optional(openTable({ policy: optional(text) })),
  include_collaboration_mode_instructions: optional(flag),
  include_apps_instructions: optional(flag),
  mcp_oauth_credentials_store: optional(oneOf("auto", "file", "keyring")),
  mcp_oauth_callback_port: optional(integer(1)),
  mcp_oauth_callback_url: optional(text),
  /** Milliseconds. */
  background_terminal_max_timeout: optional(integer(0)),
  hooks: optional(anyTable),
  plugins: optional(anyTable),
  marketplaces: optional(anyTable),
  tool_suggest: optional(anyTable),
  suppress_unstable_features_warning: optional(flag),
  show_raw_agent_reasoning: optional(flag),
  file_opener: optional(oneOf("vscode", "vscode-insiders", "windsurf", "cursor", "none")),
  notify: optional(listOf(text)),
  memories: optional(anyTable),
  goals: optional(table({ max_goal_token_budget: optional(integer(1)) })),
  sqlite_home: optional(text),
  check_for_update_on_startup: optional(flag),
  cli_auth_credentials_store: optional(oneOf("file", "keyring", "auto", "ephemeral")),
  analytics: optional(anything),
  apps: optional(anything),
  apps_mcp_product_sku: optional(anything),
  audio: optional(anything),
  chatgpt_base_url: optional(anything),
  desktop: optional(anything),
  feedback: optional(anything),
  forced_chatgpt_workspace_id: optional(anything),
  forced_login_method: optional(anything),
  ghost_snapshot: optional(anything),
  notice: optional(anything),
  orchestrator: optional(anything),
  otel: optional(anything),
  realtime: optional(anything),
  responses_api_metadata: optional(anything),
};
