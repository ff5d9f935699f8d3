import type { MemoryKey } from "../types.ts";

/** A command in the background that has ended by itself. */
export type TaskEnd = { taskId: string; file: string; exitCode: number; command: string };

/** Ends that the model has not been told of; whoever tells it takes them out. */
export const taskEnds: MemoryKey<TaskEnd[]> = { name: "taskEnds", init: () => [] };
