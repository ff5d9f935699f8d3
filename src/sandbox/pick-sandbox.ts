import type { Sandbox } from "../protocol/policy.ts";
import { denial } from "./denial.ts";

export type SandboxHost = {
  /** As in `process.platform` and `process.arch`. */
  platform: string;
  processor: string;
  /** A folder of ours that no command may write to. */
  stateDir: string;
  /** PATH, where the sandbox's own program is looked for. */
  path: string;
};

/** The sandbox of this system. Costs nothing until the first command: nothing is loaded or probed here. */
export async function pickSandbox(host: SandboxHost): Promise<Sandbox> {
  if (host.platform === "linux") return linuxSandbox(host);
  return (await import("./pass-through.ts")).createNoSandbox(host.platform);
}

function linuxSandbox(host: SandboxHost): Sandbox {
  let loading: Promise<Sandbox> | undefined;
  const load = () => {
    loading ??= import("./linux.ts").then(({ LinuxSandbox }) => new LinuxSandbox(host));
    return loading;
  };
  return {
    id: "bwrap",
    available: async () => (await load()).available(),
    wrap: async (command, policy, options) => (await load()).wrap(command, policy, options),
    denied: (result) => denial(result) !== undefined,
  };
}
