import { readFileSync } from "node:fs";
import type { Stop } from "../../protocol/program.ts";

/**
 * Passes the signal that stops this program on to the command, once. bwrap itself would end without telling the command,
 * so when `isWrapped` the command is looked for below it. Returns what ends the forwarding.
 */
export function forwardSignals(pid: number, isWrapped: boolean, stop: AbortSignal): () => void {
  const forward = () => {
    const reason: unknown = stop.reason;
    if (isSignal(reason)) send((isWrapped ? commandBelow(pid) : undefined) ?? pid, reason.signal);
  };
  if (stop.aborted) forward();
  stop.addEventListener("abort", forward);
  return () => stop.removeEventListener("abort", forward);
}

/**
 * For a command that has our terminal: Ctrl-C reaches it by itself, as often as somebody likes, and is none of our
 * business. Returns what gives the interrupts back.
 */
export function leaveInterruptsToCommand(): () => void {
  const listeners = process.listeners("SIGINT");
  const ignore = () => {};
  process.removeAllListeners("SIGINT");
  process.on("SIGINT", ignore);
  return () => {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  };
}

function isSignal(reason: unknown): reason is Extract<Stop, { kind: "signal" }> {
  return typeof reason === "object" && reason !== null && "kind" in reason && reason.kind === "signal";
}

/** bwrap starts the first process of the new namespace, which starts the command. */
function commandBelow(bwrap: number): number | undefined {
  const first = firstChild(bwrap);
  return first === undefined ? undefined : firstChild(first);
}

function firstChild(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    const child = Number(children[0]);
    return child > 0 ? child : undefined;
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in the meantime.
  }
}
