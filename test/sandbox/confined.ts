import { test } from "bun:test";
import type { Sandbox, SandboxPolicy } from "../../src/protocol/policy.ts";
import { pickSandbox } from "../../src/sandbox/pick-sandbox.ts";

type Restricted = Extract<SandboxPolicy, { mode: "restricted" }>;

export const CLOSED: Restricted = {
  mode: "restricted",
  read: "everything",
  write: [],
  protect: [],
  deny: [],
  network: false,
};

export function sandboxOf(stateDir: string, path = process.env["PATH"] ?? ""): Promise<Sandbox> {
  return pickSandbox({ platform: process.platform, processor: process.arch, stateDir, path });
}

const usable = await (await sandboxOf("/nowhere")).available();

/** `test`, or a skipped test that says why commands can't be confined here. */
export function confinedTest(title: string, body: () => Promise<void>): void {
  if (usable.ok) test(title, body, 20_000);
  else test.skip(`${title} (skipped: ${usable.reason})`, body);
}

export type Outcome = { exitCode: number; output: string };

/** Runs a shell script in the sandbox to its end; stdout and stderr together. */
export async function confined(
  sandbox: Sandbox,
  policy: SandboxPolicy,
  cwd: string,
  script: string,
): Promise<Outcome> {
  const env = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" };
  const argv = ["/bin/sh", "-c", `exec 2>&1\n${script}`];
  const spec = await sandbox.wrap({ argv, cwd, env }, policy, { tty: false });
  try {
    const child = Bun.spawn(spec.argv, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ["ignore", "pipe", "inherit", ...spec.fds],
    });
    const output = await new Response(child.stdout).text();
    return { exitCode: await child.exited, output };
  } finally {
    spec.release();
  }
}
