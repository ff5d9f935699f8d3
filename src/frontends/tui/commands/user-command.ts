import type { Port } from "../port.ts";

/** Runs a command of the user's own; Esc ends it. Beside a running turn, it runs until it ends. */
export async function runOwn(port: Port, command: string): Promise<void> {
  const user = port.conversation.opened?.user;
  if (!user) return;
  port.transcript.add({ kind: "user", text: `!${command}` });
  port.transcript.add({ kind: "notice", notice: { level: "info", text: "your own command, not sandboxed" } });
  if (port.state.turn) await user.run(command, AbortSignal.timeout(LONGEST_MS));
  else await port.turns.hold((signal) => user.run(command, signal));
}

const LONGEST_MS = 10 * 60_000;
