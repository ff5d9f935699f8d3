import type { SessionFacts } from "../../protocol/events.ts";
import type { Part } from "../../protocol/items.ts";
import type { ToolMemory } from "../../tools/types.ts";
import { type Wakeup, wakeups } from "../../tools/wakeup-state.ts";
import { sleep } from "../../util/async.ts";
import { clockTime } from "../../util/local-time.ts";

export type WakeupState = { next?: Wakeup | undefined; leftSeconds: number };

export type WaitOptions = {
  now(): number;
  /** The turn is over at this moment anyway, in ms since the epoch. */
  endsAt: number | undefined;
  say(message: string): void;
  /** What the user says meanwhile ends the waiting. */
  spoken: Promise<void>;
};

/** A run that nobody watches ends in bounded time. In seconds. */
const MOST_UNWATCHED = 3600;

export function wakeupsOf(memory: ToolMemory, source: SessionFacts["source"]): WakeupState {
  const state = memory.get(wakeups);
  if (source === "exec") state.leftSeconds = Math.min(state.leftSeconds, MOST_UNWATCHED);
  return state;
}

/**
 * Waits for the wake-up that the model has asked for; its prompt is what the model hears then. Undefined when there is
 * none, when it would come too late, and when the user speaks first (the wake-up stays). Rejects when the signal fires.
 */
export async function awaitWakeup(
  state: WakeupState,
  { now, endsAt, say, spoken }: WaitOptions,
  signal: AbortSignal,
): Promise<Part[] | undefined> {
  const { next } = state;
  if (!next || (endsAt !== undefined && next.at >= endsAt)) return undefined;
  const startedAt = now();
  const about = next.reason === "" ? "" : `: ${next.reason}`;
  say(`waiting until ${clockTime(next.at)} for the wake-up that the model has asked for${about}`);
  const due = await isDue(Math.max(0, next.at - startedAt), spoken, signal);
  state.leftSeconds -= (now() - startedAt) / 1000;
  if (!due) return undefined;
  state.next = undefined;
  return [{ type: "input_text", text: next.prompt }];
}

/** False when the user spoke first. */
async function isDue(ms: number, spoken: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const control = new AbortController();
  const timer = sleep(ms, AbortSignal.any([signal, control.signal])).then(() => true);
  const first = await Promise.race([timer, spoken.then(() => false)]);
  control.abort();
  await timer.catch(() => {});
  return first;
}
