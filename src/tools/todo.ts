import { z } from "zod";
import type { PlanDetail } from "../protocol/details.ts";
import { defineTool } from "./define.ts";
import { textResult } from "./results.ts";
import { type Todo, todoFields, todos } from "./todos.ts";

// Harnesses name the text and the states of their lists differently.
const TodoInput = z.looseObject({
  todos: z.array(
    z.looseObject({
      content: z.string().optional(),
      title: z.string().optional(),
      status: z.string().optional(),
    }),
  ),
});
type TodoInput = z.infer<typeof TodoInput>;

/** Native "todo": replaces the model's list of things to do, which people see as its plan. */
export const todo = defineTool<TodoInput>({
  name: "todo",
  schema: TodoInput,
  parallel: false,
  async prepare(input) {
    const list = input.todos.map(todoOf);
    const detail: PlanDetail = { kind: "plan", steps: [...list] };
    return {
      ready: {
        access: {},
        subject: { kind: "permissions", access: {} },
        shown: detail,
        run: async ({ memory }) => {
          const kept = memory.get(todos);
          const oldJson = todoFields(kept.list).json;
          kept.list = list;
          return textResult(true, "The list has been updated", { ...todoFields(list), oldJson }, detail);
        },
      },
    };
  },
});

function todoOf({ content, title, status }: TodoInput["todos"][number]): Todo {
  return { text: content ?? title ?? "", status: statusOf(status) };
}

function statusOf(status: string | undefined): Todo["status"] {
  if (status === "completed" || status === "done") return "completed";
  return status === "in_progress" ? "in_progress" : "pending";
}
