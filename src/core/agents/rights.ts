import type { SandboxPolicy } from "../../protocol/policy.ts";
import type { SandboxMode } from "../../protocol/settings.ts";
import { resolvePolicy } from "../../safety/modes.ts";
import type { SessionSettings } from "../turn/settings.ts";

const WIDTH: Readonly<Record<SandboxMode, number>> = {
  "read-only": 0,
  "workspace-write": 1,
  "danger-full-access": 2,
  // Somebody else's isolation is neither widened nor narrowed from here.
  "external-sandbox": 0,
};

type Rights = Pick<SessionSettings, "approvals" | "sandbox" | "sandboxMode">;

/**
 * What a child may do: what its parent may at that moment, since the user can change it meanwhile, or less where its role
 * says so. Never more.
 */
export function rightsOf(parent: SessionSettings, wanted: SandboxMode | undefined, stateDir: string): Rights {
  const narrowed = () =>
    wanted !== undefined && WIDTH[wanted] < WIDTH[parent.sandboxMode] ? wanted : undefined;
  return {
    get approvals() {
      return parent.approvals;
    },
    get sandboxMode() {
      return narrowed() ?? parent.sandboxMode;
    },
    get sandbox() {
      const mode = narrowed();
      return mode === undefined ? parent.sandbox : within(parent, mode, stateDir);
    },
  };
}

function within({ sandbox, cwd }: SessionSettings, mode: SandboxMode, stateDir: string): SandboxPolicy {
  if (sandbox.mode !== "restricted") return resolvePolicy({ mode, cwd, stateDir });
  return { ...sandbox, write: [], protect: [], network: false };
}
