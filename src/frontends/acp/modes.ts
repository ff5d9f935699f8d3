import type { SessionMode, SessionModeState } from "@agentclientprotocol/sdk/unstable";
import type { Override } from "../../config/overrides.ts";
import type { Posture } from "../../core/posture.ts";

type Mode = { id: string; name: string; description: string; sandbox: string; approvals: string };

const MODES: readonly Mode[] = [
  {
    id: "read-only",
    name: "Read only",
    description: "Commands read everything and change nothing; asks when more is needed",
    sandbox: "read-only",
    approvals: "on-request",
  },
  {
    id: "workspace-write",
    name: "Workspace",
    description: "Commands write in the folder of the session, without network; asks when more is needed",
    sandbox: "workspace-write",
    approvals: "on-request",
  },
  {
    id: "full-access",
    name: "Full access",
    description: "No sandbox and no questions: everything that you may do",
    sandbox: "danger-full-access",
    approvals: "never",
  },
];

/** On top of whichever mode there was: until the person agrees to the plan, or chooses another mode. */
export const PLAN_MODE = "plan";
const PLAN: SessionMode = {
  id: PLAN_MODE,
  name: "Plan",
  description: "The model looks around and makes a plan, and changes nothing",
};

/** What the settings say when that is none of the modes. */
const CONFIGURED = "configured";

/** `configured` is what the settings say without a mode. */
export function modeState(current: Posture, configured: Posture, isPlanning = false): SessionModeState {
  const own = modeOf(configured);
  const { sandboxMode, approvals } = configured;
  const extra: SessionMode[] =
    own === CONFIGURED
      ? [
          {
            id: CONFIGURED,
            name: "As configured",
            description: `Sandbox ${sandboxMode}, approvals ${approvals}`,
          },
        ]
      : [];
  return {
    currentModeId: isPlanning ? PLAN_MODE : modeOf(current),
    availableModes: [
      ...extra,
      ...MODES.map(({ id, name, description }) => ({ id, name, description })),
      PLAN,
    ],
  };
}

/** The settings that a mode stands for; undefined for a mode that is not there. */
export function modeOverrides(id: string, configured: Posture): Override[] | undefined {
  if (id === CONFIGURED && modeOf(configured) === CONFIGURED) return [];
  const mode = MODES.find((one) => one.id === id);
  return (
    mode && [
      { path: ["sandbox_mode"], option: "mode", set: mode.sandbox },
      { path: ["approval_policy"], option: "mode", set: mode.approvals },
    ]
  );
}

function modeOf({ sandboxMode, approvals }: Posture): string {
  const mode = MODES.find((one) => one.sandbox === sandboxMode && one.approvals === approvals);
  return mode?.id ?? CONFIGURED;
}
