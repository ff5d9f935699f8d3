import type { Override } from "../../../../config/overrides.ts";
import { PERMISSION_PRESETS, presetOverrides } from "../../../../core/choices/permissions.ts";
import type { SandboxMode } from "../../../../protocol/settings.ts";
import type { Asker } from "../asker.ts";
import { currentFirst } from "./order.ts";

/** The usual one first. */
const PRESETS = (["workspace-write", "read-only", "full-access"] as const).map((id) => ({
  label: id.replace("full-", "full "),
  ...PERMISSION_PRESETS[id],
}));

/** Asks what commands may do. Full access is asked for a second time. */
export async function pickPermissions(
  asker: Asker,
  current: SandboxMode | undefined,
): Promise<Override[] | undefined> {
  const preset = await asker.choose({
    message: "What commands may do",
    choices: currentFirst(PRESETS, ({ sandbox }) => sandbox === current).map(({ item, isCurrent }) => ({
      value: item,
      label: `${item.label.padEnd(15)}  ${item.about}`,
      ...(isCurrent ? { hint: "current" } : {}),
    })),
    initial: 0,
  });
  if (!preset) return undefined;
  const isDangerous = preset.sandbox === "danger-full-access" && current !== "danger-full-access";
  if (isDangerous && !(await asker.confirm({ message: "Switch the sandbox and all questions off?" })))
    return undefined;
  return presetOverrides(preset, "/permissions");
}
