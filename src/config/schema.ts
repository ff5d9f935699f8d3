import { APPROVAL_POLICIES, EFFORTS, SANDBOX_MODES } from "../protocol/settings.ts";
import { McpServerShape } from "./schema-mcp.ts";
import { ProviderShape } from "./schema-providers.ts";
import { sharedKeys } from "./schema-shared.ts";
import {
  anything,
  either,
  flag,
  type Infer,
  integer,
  listOf,
  oneOf,
  openTable,
  optional,
  positive,
  recordOf,
  type Shape,
  table,
  text,
  withDefault,
} from "./shape.ts";

/** Where requests go when nothing says otherwise. */
export const DEFAULT_PROVIDER = "openai";

const yes = withDefault(flag, true);
const no = withDefault(flag, false);
const amount = either("a number of at least 0", positive, integer(0));
const texts = listOf(text);
const anyTable = recordOf(anything);
const effort = oneOf(...EFFORTS);
const flagOrTable = either("true, false or a table", flag, anyTable);

const granular = table({
  granular: table({
    sandbox_approval: optional(flag),
    rules: optional(flag),
    mcp_elicitations: optional(flag),
    request_permissions: optional(flag),
    skill_approval: optional(flag),
  }),
});

const modelKeys = {
  model: optional(text),
  model_provider: withDefault(text, DEFAULT_PROVIDER),
  model_providers: withDefault(recordOf(ProviderShape), {}),
  harness: optional(text),
  /** Run the tool calls that a model printed as text instead of making them. */
  rescue_tool_calls: yes,
  model_reasoning_effort: optional(effort),
  model_reasoning_summary: optional(oneOf("auto", "concise", "detailed", "none")),
  model_verbosity: optional(oneOf("low", "medium", "high")),
  /** Tokens. */
  model_context_window: optional(integer(1)),
  model_auto_compact_token_limit: optional(integer(1)),
  model_instructions_file: optional(text),
  instructions: optional(text),
  developer_instructions: optional(text),
  compact_prompt: optional(text),
  experimental_compact_prompt_file: optional(text),
  oss_provider: optional(text),
  /** Nothing outside this machine and its private network is asked. */
  air_gapped: no,
  openai_base_url: optional(text),
  tool_output_token_limit: optional(integer(0)),
  /** By model id, dollars per million tokens; without `cached_input`, cached tokens cost as much as others. */
  model_prices: withDefault(
    recordOf(table({ input: amount, cached_input: optional(amount), output: amount })),
    {},
  ),
  /** What a session may use; exec has options for a single run. */
  budget: withDefault(
    table({
      max_turns: optional(integer(1)),
      max_tokens: optional(integer(1)),
      max_cost: optional(positive),
    }),
    {},
  ),
  /** Set by `--chat-completions`: the selected provider is used as if it had `wire_api = "chat"`. */
  force_chat_completions: no,
};

const safetyKeys = {
  approval_policy: optional(
    either(
      'one of "untrusted", "on-request", "never", or a table with granular',
      oneOf(...APPROVAL_POLICIES),
      granular,
    ),
  ),
  approvals_reviewer: withDefault(oneOf("user", "auto_review"), "user"),
  /** Absent: depends on the trust of the project. */
  sandbox_mode: optional(oneOf(...SANDBOX_MODES)),
  sandbox_workspace_write: withDefault(
    table({
      writable_roots: withDefault(texts, []),
      network_access: no,
      exclude_tmpdir_env_var: no,
      exclude_slash_tmp: no,
    }),
    {},
  ),
  default_permissions: optional(text),
  shell_environment_policy: withDefault(
    table({
      inherit: withDefault(oneOf("all", "core", "none"), "all"),
      ignore_default_excludes: yes,
      exclude: withDefault(texts, []),
      include_only: withDefault(texts, []),
      set: withDefault(recordOf(text), {}),
      filters: optional(anyTable),
      experimental_use_profile: optional(flag),
    }),
    {},
  ),
  projects: withDefault(recordOf(openTable({ trust_level: optional(oneOf("trusted", "untrusted")) })), {}),
};

const promptKeys = {
  /** Bytes. */
  project_doc_max_bytes: withDefault(integer(0), 32_768),
  project_doc_fallback_filenames: withDefault(texts, []),
  project_root_markers: withDefault(texts, [".git"]),
  include_environment_context: yes,
  include_permissions_instructions: yes,
  skills: withDefault(
    table({
      bundled: withDefault(table({ enabled: yes }), {}),
      include_instructions: yes,
      config: withDefault(listOf(table({ path: optional(text), name: optional(text), enabled: yes })), []),
    }),
    {},
  ),
};

const toolKeys = {
  mcp_servers: withDefault(recordOf(McpServerShape), {}),
  web_search: optional(oneOf("disabled", "cached", "indexed", "live")),
  tools: withDefault(
    table({
      web_search: optional(flagOrTable),
      view_image: optional(flag),
      update_plan: withDefault(table({ enabled: yes }), {}),
      experimental_request_user_input: optional(flagOrTable),
    }),
    {},
  ),
  agents: optional(
    openTable({
      enabled: optional(flag),
      max_concurrent_threads_per_session: optional(integer(1)),
      max_threads: optional(integer(1)),
      max_depth: optional(integer(0)),
      interrupt_message: optional(flag),
      default_subagent_model: optional(text),
      default_subagent_reasoning_effort: optional(effort),
    }),
  ),
};

const programKeys = {
  profile: optional(text),
  /** Read as a layer of its own when chosen. */
  profiles: withDefault(recordOf(anyTable), {}),
  features: withDefault(recordOf(flagOrTable), {}),
  history: withDefault(
    table({
      persistence: withDefault(oneOf("save-all", "none"), "save-all"),
      max_bytes: optional(integer(0)),
    }),
    {},
  ),
  hide_agent_reasoning: no,
  tui: optional(anyTable),
  log_dir: optional(text),
  disable_paste_burst: no,
};

/** The keys that have an effect. */
export const ownKeys = { ...modelKeys, ...safetyKeys, ...promptKeys, ...toolKeys, ...programKeys };

const shape = table({ ...ownKeys, ...sharedKeys });

export type ConfigValues = Infer<typeof shape>;

/** Everything that config.toml may hold. Keys that are absent and have one fixed default are filled in. */
export const ConfigShape: Shape<ConfigValues> = shape;
