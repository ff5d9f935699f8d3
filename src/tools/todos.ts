import type { MemoryKey } from "./types.ts";

export type Todo = { text: string; status: "pending" | "in_progress" | "completed" };

/** The model's list of things to do, as it last wrote it. */
export const todos: MemoryKey<{ list: readonly Todo[] }> = { name: "todos", init: () => ({ list: [] }) };

/** The list for the model to read, and its counts, for result templates. */
export function todoFields(list: readonly Todo[]) {
  const count = (status: Todo["status"]) => list.filter((todo) => todo.status === status).length;
  return {
    list: list.map(({ text, status }, at) => `${at + 1}. [${status}] ${text}`).join("\n"),
    json: JSON.stringify(list.map(({ text, status }) => ({ content: text, status }))),
    total: list.length,
    pending: count("pending"),
    inProgress: count("in_progress"),
    completed: count("completed"),
  };
}
