import type { MemoryKey, ToolMemory } from "../types.ts";
import { nextTime, type Schedule } from "./schedule.ts";

export type Wakeup = {
  id: string;
  cron: string;
  schedule: Schedule;
  prompt: string;
  recurring: boolean;
  name?: string;
  /** Kept, but not said. */
  paused?: boolean;
  /** ms since the epoch. */
  nextAt: number;
};

/** What the model wants to be told later in this session. */
export const wakeups: MemoryKey<Wakeup[]> = { name: "wakeups", init: () => [] };

/** The prompts that are due; each is said once, however often its time has passed. */
export function takeWakeups(memory: ToolMemory, now: number): string[] {
  const list = memory.get(wakeups);
  const due = list.filter(({ nextAt, paused }) => !paused && nextAt <= now);
  for (const wakeup of due) {
    const nextAt = wakeup.recurring ? nextTime(wakeup.schedule, now) : undefined;
    if (nextAt === undefined) list.splice(list.indexOf(wakeup), 1);
    else wakeup.nextAt = nextAt;
  }
  return due.map(
    ({ id, prompt }) => `<system-reminder>Scheduled prompt ${id} is due:\n${prompt}</system-reminder>`,
  );
}
