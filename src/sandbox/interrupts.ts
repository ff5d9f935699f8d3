// Ctrl-C reaches everybody in the foreground of a terminal, bwrap too. It would end, and take along a command that only
// wanted to stop what it was doing, such as an interpreter of Python. So bwrap is started with these signals ignored, and
// the command with their usual effect again. Not needed any more when bwrap has an option for it.

const SHELL = "/bin/sh";
const ENV = "/usr/bin/env";
const RESET = "--default-signal=INT,QUIT";

/** Can the signals be given back their usual effect here? GNU env can from 8.31 on, that of busybox can't. */
export async function canResetSignals(): Promise<boolean> {
  try {
    const child = Bun.spawn([ENV, RESET, ENV], { env: {}, stdio: ["ignore", "ignore", "ignore"] });
    return (await child.exited) === 0;
  } catch {
    return false;
  }
}

/** The argv of bwrap, for a terminal whose interrupts are meant for the command alone. */
export function withInterrupts(bwrap: readonly string[], command: readonly string[]): string[] {
  const ignoring = [SHELL, "-c", "trap '' INT QUIT; exec \"$@\"", "sh"];
  return [...ignoring, ...bwrap, "--", ENV, RESET, ...command];
}
