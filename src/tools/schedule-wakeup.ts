import { z } from "zod";
import { clockTime } from "../util/local-time.ts";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";
import { wakeups } from "./wakeup-state.ts";

const ScheduleWakeupInput = z.looseObject({
  delaySeconds: z.number().optional(),
  prompt: z.string().optional(),
  reason: z.string().optional(),
  /** Take the wake-up back. */
  stop: z.boolean().optional(),
  /** Change nothing, only say what is scheduled. */
  noop: z.boolean().optional(),
});
type ScheduleWakeupInput = z.infer<typeof ScheduleWakeupInput>;

const SHORTEST_SECONDS = 1;
const LONGEST_SECONDS = 3600;

/**
 * Native "schedule_wakeup": the turn does not end when the model has nothing more to do, but waits, and goes on with the
 * prompt when it is time. There is one wake-up at most.
 */
export const scheduleWakeup = defineTool<ScheduleWakeupInput>({
  name: "schedule_wakeup",
  schema: ScheduleWakeupInput,
  parallel: false,
  prepare: async (input) => readingCall([], async (ctx) => schedule(input, ctx)),
});

function schedule(input: ScheduleWakeupInput, { memory }: RunContext): ToolResult {
  const state = memory.get(wakeups);
  if (input.stop) {
    state.next = undefined;
    return textResult(true, "No wake-up is scheduled any more.", { case: "stopped" });
  }
  if (input.noop) {
    const text = state.next
      ? `A wake-up is scheduled for ${clockTime(state.next.at)}.`
      : "No wake-up is scheduled.";
    return textResult(true, text, { case: "unchanged" });
  }
  const { delaySeconds, reason = "" } = input;
  if (delaySeconds === undefined)
    return textResult(false, "wanted delaySeconds, the time until the wake-up in seconds", {
      case: "missing",
    });
  const seconds = Math.min(Math.max(delaySeconds, SHORTEST_SECONDS), LONGEST_SECONDS);
  if (seconds > state.leftSeconds) {
    const text = `the wake-ups of this run may take ${Math.floor(state.leftSeconds)} more seconds together; finish without this one, or choose a shorter time`;
    return textResult(false, text, { case: "too_long" });
  }
  const at = Date.now() + seconds * 1000;
  state.next = {
    at,
    prompt: input.prompt || reason || "Go on: this is the wake-up that you asked for.",
    reason,
  };
  const text = `You will be woken in ${seconds} seconds, at ${clockTime(at)}, with your prompt. End your turn until then.`;
  return textResult(true, text, { case: "scheduled", seconds });
}
