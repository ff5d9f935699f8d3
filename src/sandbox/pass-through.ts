import type { CommandSpec, Sandbox, SpawnSpec } from "../protocol/policy.ts";
import { AppError } from "../util/errors.ts";

/** The command as it is, for policies that ask for no sandbox of ours. */
export function unchanged(command: CommandSpec): SpawnSpec {
  return { ...command, fds: [], release: () => {} };
}

/** For systems without a sandbox: runs what may run unconfined and refuses the rest. */
export function createNoSandbox(platform: string): Sandbox {
  const reason = `the sandbox is not built for ${platform} yet`;
  const hint = "run with --sandbox danger-full-access if you trust what will be run";
  return {
    id: "none",
    available: async () => ({ ok: false, reason: `${reason}; ${hint}` }),
    async wrap(command, policy) {
      if (policy.mode === "restricted") throw new AppError("sandbox.unavailable", reason, { hint });
      return unchanged(command);
    },
    denied: () => false,
  };
}
