import { z } from "zod";
import { defineTool } from "./define.ts";
import { statusOf, storedList, type Todo } from "./todos.ts";

// Harnesses name the text and the states of their lists differently.
const TodoInput = z.looseObject({
  todos: z.array(
    z.looseObject({
      content: z.string().optional(),
      title: z.string().optional(),
      status: z.string().optional(),
      priority: z.string().optional(),
    }),
  ),
});
type TodoInput = z.infer<typeof TodoInput>;

/** Native "todo": replaces the model's list of things to do, which people see as its plan. */
export const todo = defineTool<TodoInput>({
  name: "todo",
  schema: TodoInput,
  parallel: false,
  prepare: async (input) => storedList(input.todos.map(todoOf)),
});

function todoOf({ content, title, status, priority }: TodoInput["todos"][number]): Todo {
  return {
    text: content ?? title ?? "",
    status: statusOf(status),
    ...(priority === undefined ? {} : { priority }),
  };
}
