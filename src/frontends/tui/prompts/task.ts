import { AppError } from "../../../util/errors.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import type { InputEvent } from "../input/keys.ts";
import { cut } from "../view/text.ts";
import type { Task } from "./asker.ts";
import type { PromptHost } from "./host.ts";
import { writable } from "./writable-text.ts";

/**
 * Shows a task in one row that changes. Esc and Ctrl+C stop it; other keys wait for the next question. The progress of
 * the prompt library is not used: it reads standard input itself, and ends the process.
 */
export async function runTask<T>(
  { title, run }: Task<T>,
  host: PromptHost,
  signal: AbortSignal,
): Promise<T | undefined> {
  const stop = new AbortController();
  const over = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const row = (mark: string, text: string) => {
    const line = cut(`${mark}  ${terminalSafe(text).replace(/\s*\n\s*/g, " ")}`, host.columns - 1);
    host.write(writable(`\r${line}\u001b[K`, host));
  };
  host.write(writable("│\n", host));
  row("◆", title);
  const kept: InputEvent[] = [];
  const watching = watch(host, kept, stop, over.signal);
  try {
    const result = await run((text) => row("◆", `${title}: ${text}`), both);
    row("◇", `${title}: done`);
    return result;
  } catch (cause) {
    row("■", `${title}: ${both.aborted ? "stopped" : "failed"}`);
    if (both.aborted && cause instanceof AppError && cause.code === "aborted") return undefined;
    throw cause;
  } finally {
    host.write("\r\n");
    over.abort();
    await watching;
    for (const event of kept) host.keys.push(event);
  }
}

async function watch(
  { keys }: PromptHost,
  kept: InputEvent[],
  stop: AbortController,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    const event = await keys.next(over);
    if (!event) return;
    const isStop = event.type === "key" && (event.name === "escape" || (event.ctrl && event.name === "c"));
    if (isStop) stop.abort();
    else kept.push(event);
  }
}
