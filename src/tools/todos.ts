import type { PlanDetail } from "../protocol/details.ts";
import { textResult } from "./results.ts";
import type { MemoryKey, Prepared } from "./types.ts";

export type Todo = {
  text: string;
  status: "pending" | "in_progress" | "completed";
  priority?: string;
};

/** The model's list of things to do, as it last wrote it. */
export const todos: MemoryKey<{ list: readonly Todo[] }> = { name: "todos", init: () => ({ list: [] }) };

/** A call that puts this list in place of the old one; people see it as the model's plan. */
export function storedList(list: readonly Todo[]): Prepared {
  const steps = list.map(({ text, status }) => ({ text, status }));
  const detail: PlanDetail = { kind: "plan", steps };
  return {
    ready: {
      access: {},
      subject: { kind: "permissions", access: {} },
      shown: detail,
      run: async ({ memory }) => {
        const kept = memory.get(todos);
        const oldJson = todoFields(kept.list).json;
        kept.list = list;
        return textResult(
          true,
          "The list has been updated",
          { case: "updated", ...todoFields(list), oldJson },
          detail,
        );
      },
    },
  };
}

/** Harnesses name the states differently. */
export function statusOf(status: string | undefined): Todo["status"] {
  if (status === "completed" || status === "done") return "completed";
  return status === "in_progress" ? "in_progress" : "pending";
}

/** The list for the model to read, and its counts, for result templates. */
export function todoFields(list: readonly Todo[]) {
  const count = (status: Todo["status"]) => list.filter((todo) => todo.status === status).length;
  const whole = list.map(({ text, status, priority }) => ({
    content: text,
    status,
    ...(priority === undefined ? {} : { priority }),
  }));
  return {
    list: list.map(({ text, status }, at) => `${at + 1}. [${status}] ${text}`).join("\n"),
    marks: list
      .map(({ text, status }) => `  [${status === "completed" ? "done" : status}] ${text}`)
      .join("\n"),
    json: JSON.stringify(whole),
    indented: JSON.stringify(whole, null, 2),
    total: list.length,
    pending: count("pending"),
    inProgress: count("in_progress"),
    completed: count("completed"),
  };
}
