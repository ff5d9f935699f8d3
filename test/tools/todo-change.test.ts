import { expect, test } from "bun:test";
import { todo } from "../../src/tools/todo.ts";
import { todoChange } from "../../src/tools/todo-change.ts";
import { workbench } from "./files/workbench.ts";

test("one todo is added or changed, and people see the whole list", async () => {
  await using bench = await workbench();
  await bench.call(todo, { todos: [{ content: "look", status: "pending", priority: "high" }] });
  await bench.call(todoChange, { content: "change" });
  const result = await bench.call(todoChange, { id: 1, status: "done" });
  expect(result.fields?.["list"]).toBe("1. [completed] look\n2. [pending] change");
  expect(JSON.parse(String(result.fields?.["indented"]))).toEqual([
    { content: "look", status: "completed", priority: "high" },
    { content: "change", status: "pending" },
  ]);
  expect(result.detail).toEqual({
    kind: "plan",
    steps: [
      { text: "look", status: "completed" },
      { text: "change", status: "pending" },
    ],
  });
});

test("a todo that is not there, or has no text, is refused", async () => {
  await using bench = await workbench();
  expect(await bench.ask(todoChange, { id: 1, status: "completed" })).toBe(
    "there is no entry 1; the list has 0",
  );
  expect(await bench.ask(todoChange, { status: "pending" })).toBe("wanted the content of the new entry");
});
