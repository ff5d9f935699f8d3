import type { LoadedConfig } from "../config/load.ts";
import { developerText, type Item } from "../protocol/items.ts";
import type { Posture } from "./posture.ts";
import { readAgentsMd } from "./prompt-context/agents-md.ts";
import { environmentContext } from "./prompt-context/environment.ts";
import { permissionsText } from "./prompt-context/permissions-text.ts";
import type { FreshContext } from "./settings.ts";

export type ContextOptions = {
  config: LoadedConfig;
  cwd: string;
  shell: string;
  now: Date;
  posture: Posture;
  /** The harness's own first messages. */
  setup: readonly Item[];
};

/** What the model is told about its surroundings, fixed for the session: a change would cost the server's prompt cache. */
export async function contextSource(
  options: ContextOptions,
): Promise<{ fresh: FreshContext; warnings: string[] }> {
  const { config, cwd, shell, now, posture, setup } = options;
  const { values } = config;
  const agents = await readAgentsMd({
    home: config.home,
    cwd,
    projectRoot: config.projectRoot,
    isTrusted: config.trust === "trusted",
    maxBytes: values.project_doc_max_bytes,
    fallbackNames: values.project_doc_fallback_filenames,
  });
  const items = [
    values.include_permissions_instructions
      ? permissionsText(posture.sandboxMode, posture.sandbox, posture.approvals)
      : undefined,
    values.developer_instructions ? developerText(values.developer_instructions) : undefined,
    agents.item,
    values.include_environment_context
      ? environmentContext({ cwd, shell, now, policy: posture.sandbox })
      : undefined,
    ...setup,
  ].filter((item) => item !== undefined);
  return { fresh: () => items, warnings: agents.warnings };
}
