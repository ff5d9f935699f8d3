import type { LoadedConfig } from "../../config/load.ts";
import type { Harness } from "../../harness/compose.ts";
import { developerText, type Item } from "../../protocol/items.ts";
import type { Posture } from "../session/posture.ts";
import type { FreshContext } from "../turn/settings.ts";
import { type AgentsMd, readAgentsMd } from "./agents-md.ts";
import { environmentContext } from "./environment.ts";
import { permissionsText } from "./permissions-text.ts";

export type ContextOptions = {
  config: LoadedConfig;
  cwd: string;
  shell: string;
  now: Date;
  posture: Posture;
  /** The harness's own first messages, and which of ours it wants before them. */
  setup: readonly Item[];
  wanted: Harness["prompt"]["context"];
  agents: AgentsMd;
  /** The list of skills, when there are any. */
  skills: { item?: Item; warning?: string };
};

/** What the model is told about its surroundings, fixed for the session: a change would cost the server's prompt cache. */
export function contextSource(options: ContextOptions): { fresh: FreshContext; warnings: string[] } {
  const { config, cwd, shell, now, posture, setup, wanted, agents, skills } = options;
  const { values } = config;
  const isRestricted = posture.sandbox.mode !== "off";
  const { permissions = "always", environment = true } = wanted;
  const tellsPermissions = permissions === "always" || (permissions === "when_restricted" && isRestricted);
  const items = [
    values.include_permissions_instructions && tellsPermissions
      ? permissionsText(posture.sandboxMode, posture.sandbox, posture.approvals)
      : undefined,
    values.developer_instructions ? developerText(values.developer_instructions) : undefined,
    wanted.agents === false ? undefined : agents.item,
    values.skills.include_instructions && wanted.skills !== false ? skills.item : undefined,
    values.include_environment_context && environment
      ? environmentContext({ cwd, shell, now, policy: posture.sandbox })
      : undefined,
    ...setup,
  ].filter((item) => item !== undefined);
  const warnings = [...agents.warnings, ...(skills.warning === undefined ? [] : [skills.warning])];
  return { fresh: () => items, warnings };
}

/** The user's and the project's AGENTS.md files, as the configuration allows. */
export function projectInstructions({
  config,
  cwd,
}: {
  config: LoadedConfig;
  cwd: string;
}): Promise<AgentsMd> {
  const { values } = config;
  return readAgentsMd({
    home: config.home,
    cwd,
    projectRoot: config.projectRoot,
    isTrusted: config.trust === "trusted",
    maxBytes: values.project_doc_max_bytes,
    fallbackNames: values.project_doc_fallback_filenames,
  });
}
