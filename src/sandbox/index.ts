import type { Sandbox } from "../protocol/policy.ts";

export type SandboxHost = {
  /** As in `process.platform` and `process.arch`. */
  platform: string;
  processor: string;
  /** A folder of ours that no command may write to. */
  stateDir: string;
  /** PATH, where the sandbox's own program is looked for. */
  path: string;
};

/** The sandbox of this system. Costs nothing until the first command: nothing is probed here. */
export async function pickSandbox(host: SandboxHost): Promise<Sandbox> {
  if (host.platform === "linux") return new (await import("./linux.ts")).LinuxSandbox(host);
  return (await import("./pass-through.ts")).createNoSandbox(host.platform);
}
