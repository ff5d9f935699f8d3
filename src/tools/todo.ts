import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import { statusOf, storedList, type Todo, todoFields, todos } from "./todos.ts";
import type { Prepared } from "./types.ts";

// Harnesses name the text and the states of their lists differently.
const TodoInput = z.looseObject({
  /** Without it, the list is only read. */
  todos: z
    .array(
      z.looseObject({
        content: z.string().optional(),
        title: z.string().optional(),
        status: z.string().optional(),
        priority: z.string().optional(),
      }),
    )
    .optional(),
});
type TodoInput = z.infer<typeof TodoInput>;

/** Native "todo": replaces the model's list of things to do, which people see as its plan. */
export const todo = defineTool<TodoInput>({
  name: "todo",
  schema: TodoInput,
  parallel: false,
  prepare: async (input) => (input.todos ? storedList(input.todos.map(todoOf)) : readList()),
});

function readList(): Prepared {
  return readingCall([], async ({ memory }) => {
    const fields = todoFields(memory.get(todos).list);
    return textResult(true, fields.list, { case: fields.total === 0 ? "empty" : "read", ...fields });
  });
}

function todoOf({ content, title, status, priority }: NonNullable<TodoInput["todos"]>[number]): Todo {
  return {
    text: content ?? title ?? "",
    status: statusOf(status),
    ...(priority === undefined ? {} : { priority }),
  };
}
