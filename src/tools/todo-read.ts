import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import { todoFields, todos } from "./todos.ts";

const TodoReadInput = z.looseObject({});

/** Native "todo_read": the list as the model last wrote it. */
export const todoRead = defineTool({
  name: "todo_read",
  schema: TodoReadInput,
  parallel: true,
  prepare: async () =>
    readingCall([], async ({ memory }) => {
      const fields = todoFields(memory.get(todos).list);
      return textResult(true, fields.total === 0 ? "The list is empty" : fields.list, fields);
    }),
});
