import type { Override } from "../../../config/overrides.ts";
import type { Port } from "../port.ts";
import { type PickItem, pick } from "./pick.ts";

const PRESETS: readonly (PickItem & { sandbox: string; approvals: string })[] = [
  {
    value: "read-only",
    label: "read-only",
    about: "commands read everything and change nothing; asks for more",
    sandbox: "read-only",
    approvals: "on-request",
  },
  {
    value: "workspace-write",
    label: "workspace-write",
    about: "commands write in this folder, no network; asks for more",
    sandbox: "workspace-write",
    approvals: "on-request",
  },
  {
    value: "full-access",
    label: "full access",
    about: "no sandbox and no questions: everything that you may do",
    sandbox: "danger-full-access",
    approvals: "never",
  },
];

/** Changes what commands may do, for this conversation. */
export async function changePermissions(port: Port, wanted: string): Promise<void> {
  const current = port.conversation.opened?.settings.sandboxMode;
  const isCurrent = (preset: (typeof PRESETS)[number]) => preset.sandbox === current;
  const items = [...PRESETS.filter(isCurrent), ...PRESETS.filter((one) => !isCurrent(one))].map((one) =>
    isCurrent(one) ? { ...one, note: "current" } : one,
  );
  const value = wanted || (await pick(port, { title: "What commands may do", items, isLast: true }));
  if (value === undefined) return;
  const preset = PRESETS.find((one) => one.value === value || one.sandbox === value);
  if (!preset) {
    const names = PRESETS.map((one) => one.value).join(", ");
    port.notice({ level: "warning", text: `There are no permissions "${value}".`, hint: `one of ${names}` });
    return;
  }
  if (preset.value === "full-access" && !(await isSure(port))) return;
  await apply(port, preset);
}

async function isSure(port: Port): Promise<boolean> {
  const items = [
    { value: "no", label: "no", about: "leave it as it is" },
    { value: "yes", label: "yes", about: "commands run with all your rights, and nobody asks" },
  ];
  return (await pick(port, { title: "Switch the sandbox off?", items, isLast: true })) === "yes";
}

async function apply(port: Port, { sandbox, approvals, label }: (typeof PRESETS)[number]): Promise<void> {
  const overrides: Override[] = [
    { path: ["sandbox_mode"], option: "/permissions", set: sandbox },
    { path: ["approval_policy"], option: "/permissions", set: approvals },
  ];
  const opened = port.conversation.opened;
  const config = await port.reconfigure(overrides);
  opened?.user.setPermissions(config);
  port.notice({ level: "info", text: `Permissions from now on: ${label}.` });
}
