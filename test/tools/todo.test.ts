import { expect, test } from "bun:test";
import { todo } from "../../src/tools/todo.ts";
import { todoRead } from "../../src/tools/todo-read.ts";
import { workbench } from "./files/workbench.ts";

test("a list is replaced as a whole, shown to people, and can be read again", async () => {
  await using bench = await workbench();
  expect(await bench.ask(todoRead, {})).toBe("The list is empty");
  await bench.call(todo, { todos: [{ content: "look", status: "pending" }] });
  const todos = [
    { content: "look", status: "completed" },
    { title: "write", status: "in_progress" },
    { title: "test", status: "done" },
    { content: "rest" },
  ];
  const { detail, fields } = await bench.call(todo, { todos });
  expect(detail).toEqual({
    kind: "plan",
    steps: [
      { text: "look", status: "completed" },
      { text: "write", status: "in_progress" },
      { text: "test", status: "completed" },
      { text: "rest", status: "pending" },
    ],
  });
  expect(fields).toMatchObject({
    oldJson: '[{"content":"look","status":"pending"}]',
    total: 4,
    pending: 1,
    inProgress: 1,
    completed: 2,
  });
  expect(await bench.ask(todoRead, {})).toBe(
    "1. [completed] look\n2. [in_progress] write\n3. [completed] test\n4. [pending] rest",
  );
});
