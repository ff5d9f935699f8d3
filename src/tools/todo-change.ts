import { z } from "zod";
import { defineTool } from "./define.ts";
import { refused } from "./results.ts";
import { statusOf, storedList, type Todo, todos } from "./todos.ts";

const TodoChangeInput = z.looseObject({
  /** The place in the list, from 1; without it, the todo is added at the end. */
  id: z.number().int().optional(),
  content: z.string().optional(),
  status: z.string().optional(),
});
type TodoChangeInput = z.infer<typeof TodoChangeInput>;

/** Native "todo_change": adds one todo, or changes one that is there. */
export const todoChange = defineTool<TodoChangeInput>({
  name: "todo_change",
  schema: TodoChangeInput,
  parallel: false,
  async prepare(input, { memory }) {
    const { list } = memory.get(todos);
    const changed = input.id === undefined ? added(list, input) : changedAt(list, input.id - 1, input);
    if ("problem" in changed) return refused(changed.problem);
    return storedList(changed.list);
  },
});

type Changed = { list: Todo[] } | { problem: string };

function added(list: readonly Todo[], { content, status }: TodoChangeInput): Changed {
  if (content === undefined) return { problem: "wanted the content of the new entry" };
  return { list: [...list, { text: content, status: statusOf(status) }] };
}

function changedAt(list: readonly Todo[], at: number, { content, status }: TodoChangeInput): Changed {
  const old = list[at];
  if (!old) return { problem: `there is no entry ${at + 1}; the list has ${list.length}` };
  const next = {
    ...old,
    text: content ?? old.text,
    status: status === undefined ? old.status : statusOf(status),
  };
  return { list: list.with(at, next) };
}
