import { expect, test } from "bun:test";
import { modeOverrides, modeState } from "../../../src/frontends/acp/modes.ts";

const off = { mode: "off" } as const;
const free = { sandboxMode: "danger-full-access", approvals: "never", sandbox: off } as const;
const careful = { sandboxMode: "workspace-write", approvals: "untrusted", sandbox: off } as const;

test("settings that are one of the modes are that mode", () => {
  const { currentModeId, availableModes } = modeState(free, free);
  expect([currentModeId, availableModes.map(({ id }) => id)]).toEqual([
    "full-access",
    ["read-only", "workspace-write", "full-access", "plan"],
  ]);
});

test("settings that are none of the modes are a mode of their own, to which one can go back", () => {
  expect(modeState(careful, careful).currentModeId).toBe("configured");
  expect(modeState(free, careful)).toMatchObject({
    currentModeId: "full-access",
    availableModes: [
      { id: "configured", description: "Sandbox workspace-write, approvals untrusted" },
      { id: "read-only" },
      { id: "workspace-write" },
      { id: "full-access" },
      { id: "plan" },
    ],
  });
  expect(modeOverrides("configured", careful)).toEqual([]);
});

test("an unknown mode is none", () => {
  expect([modeOverrides("wild", free), modeOverrides("configured", free)]).toEqual([undefined, undefined]);
});

test("planning is a mode on top of the others", () => {
  expect(modeState(free, free, true).currentModeId).toBe("plan");
});
