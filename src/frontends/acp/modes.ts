import type { SessionMode, SessionModeState } from "@agentclientprotocol/sdk/unstable";
import type { Override } from "../../config/overrides.ts";
import { PERMISSION_PRESETS, presetOverrides } from "../../core/choices/permissions.ts";
import type { Posture } from "../../core/session/posture.ts";

const NAMES = {
  "read-only": "Read only",
  "workspace-write": "Workspace",
  "full-access": "Full access",
} as const satisfies Record<keyof typeof PERMISSION_PRESETS, string>;
const MODES = (["read-only", "workspace-write", "full-access"] as const).map((id) => ({
  id,
  name: NAMES[id],
  preset: PERMISSION_PRESETS[id],
}));

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
      ...MODES.map(({ id, name, preset }) => ({ id, name, description: preset.about })),
      PLAN,
    ],
  };
}

/** The settings that a mode stands for; undefined for a mode that is not there. */
export function modeOverrides(id: string, configured: Posture): Override[] | undefined {
  if (id === CONFIGURED && modeOf(configured) === CONFIGURED) return [];
  const mode = MODES.find((one) => one.id === id);
  return mode && presetOverrides(mode.preset, "mode");
}

function modeOf({ sandboxMode, approvals }: Posture): string {
  const mode = MODES.find(({ preset }) => preset.sandbox === sandboxMode && preset.approvals === approvals);
  return mode?.id ?? CONFIGURED;
}
