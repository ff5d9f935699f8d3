import type { Override } from "../../../../config/overrides.ts";
import type { SandboxMode } from "../../../../protocol/settings.ts";
import type { Asker } from "../asker.ts";
import { currentFirst } from "./order.ts";

type Preset = { sandbox: SandboxMode; approvals: string; label: string; about: string };

const PRESETS: readonly Preset[] = [
  {
    sandbox: "workspace-write",
    approvals: "on-request",
    label: "workspace-write",
    about: "commands write in this folder, no network; asks when more is needed",
  },
  {
    sandbox: "read-only",
    approvals: "on-request",
    label: "read-only",
    about: "commands read everything and change nothing; asks when more is needed",
  },
  {
    sandbox: "danger-full-access",
    approvals: "never",
    label: "full access",
    about: "no sandbox and no questions: everything that you may do",
  },
];

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
  return [
    { path: ["sandbox_mode"], option: "/permissions", set: preset.sandbox },
    { path: ["approval_policy"], option: "/permissions", set: preset.approvals },
  ];
}
