import { valueAt } from "../../../config/toml-table.ts";
import { composerOf } from "../input/composer.ts";
import { followWord } from "../popup/follow.ts";
import type { Port } from "../port.ts";
import type { CommandPort } from "./types.ts";

const KEYS = [
  "model",
  "model_provider",
  "model_reasoning_effort",
  "harness",
  "sandbox_mode",
  "approval_policy",
  "sandbox_workspace_write.network_access",
  "history.persistence",
  "tui.animations",
  "tui.theme",
];

/** The settings that count and where each came from. */
export function debugConfig(port: CommandPort): void {
  const { config } = port;
  if (!config) return;
  const rows = KEYS.flatMap((key) => {
    const origin = config.originOf(key);
    if (!origin) return [];
    const place = origin.kind === "file" ? origin.file : origin.option;
    return [`${key} = ${JSON.stringify(valueAt(config.values, key.split(".")))}  (${place})`];
  });
  const text = [`home ${config.home}`, `project root ${config.projectRoot}`, ...rows].join("\n");
  port.notice({ level: "info", text: text });
}

/** Puts an @ into the composer, with the list of files. */
export function mention(port: Port): void {
  const { state, surroundings } = port;
  port.apply(followWord({ ...state, composer: composerOf(`${state.composer.draft.text}@`) }, surroundings));
}
