import type { MemoryKey } from "./types.ts";

/** `at` in ms since the epoch. */
export type Wakeup = { at: number; prompt: string; reason: string };

/** The wake-up that the model has asked for, and how long it may still wait in this session, in seconds. */
export const wakeups: MemoryKey<{ next?: Wakeup | undefined; leftSeconds: number }> = {
  name: "wakeups",
  init: () => ({ leftSeconds: 24 * 3600 }),
};
