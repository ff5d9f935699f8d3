import type { Override } from "../../config/overrides.ts";
import type { ApprovalPolicy, SandboxMode } from "../../protocol/settings.ts";

/** A sandbox mode and when a person is asked, as they are chosen together. `about` says in a sentence what that means. */
export type PermissionPreset = { sandbox: SandboxMode; approvals: ApprovalPolicy; about: string };

export const PERMISSION_PRESETS = {
  "read-only": {
    sandbox: "read-only",
    approvals: "on-request",
    about: "Commands read everything and change nothing; asks when more is needed",
  },
  "workspace-write": {
    sandbox: "workspace-write",
    approvals: "on-request",
    about: "Commands write in this folder, without network; asks when more is needed",
  },
  "full-access": {
    sandbox: "danger-full-access",
    approvals: "never",
    about: "No sandbox and no questions: everything that you may do",
  },
} as const satisfies Readonly<Record<string, PermissionPreset>>;

/** The settings that a preset stands for; `option` names where it was chosen. */
export function presetOverrides({ sandbox, approvals }: PermissionPreset, option: string): Override[] {
  return [
    { path: ["sandbox_mode"], option, set: sandbox },
    { path: ["approval_policy"], option, set: approvals },
  ];
}
