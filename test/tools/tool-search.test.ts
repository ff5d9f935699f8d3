import { expect, test } from "bun:test";
import { toolSearch } from "../../src/tools/tool-search.ts";
import type { CatalogTool } from "../../src/tools/types.ts";
import { workbench } from "./files/workbench.ts";

const tool = (name: string, description: string): CatalogTool => ({
  name,
  description,
  parameters: { type: "object" },
});
const TOOLS = [
  tool("WebFetch", "Gets a page of the web."),
  tool("TodoWrite", "Replaces the list."),
  tool("TodoRead", "Shows the list, also a page of it."),
];

async function search(input: Record<string, unknown>) {
  await using bench = await workbench();
  const loaded: string[] = [];
  const catalog = { all: () => TOOLS, load: (names: readonly string[]) => void loaded.push(...names) };
  const result = await bench.call(toolSearch, input, { catalog });
  return { loaded, result };
}

test("tools are loaded by their names, whatever the case", async () => {
  const { loaded, result } = await search({ query: "select: webfetch,TodoRead" });
  expect(loaded).toEqual(["WebFetch", "TodoRead"]);
  expect(result.content).toEqual([
    {
      type: "input_text",
      text: 'These tools can be called now:\n\nWebFetch: Gets a page of the web.\nparameters: {"type":"object"}\n\nTodoRead: Shows the list, also a page of it.\nparameters: {"type":"object"}',
    },
  ]);
});

test("words find tools by name before description, and a word with + must be there", async () => {
  expect((await search({ query: "web page" })).loaded).toEqual(["WebFetch", "TodoRead"]);
  expect((await search({ query: "+todo page" })).loaded).toEqual(["TodoRead", "TodoWrite"]);
  expect((await search({ query: "todo list", maxResults: 1 })).loaded).toEqual(["TodoWrite"]);
});

test("when nothing fits, the tools that there are are named and none is loaded", async () => {
  const { loaded, result } = await search({ query: "music" });
  expect(loaded).toEqual([]);
  expect(result.content).toEqual([
    { type: "input_text", text: "Tools that can be loaded: WebFetch, TodoWrite, TodoRead" },
  ]);
  await using bench = await workbench();
  expect(await bench.ask(toolSearch, { query: "" })).toBe("No further tools are kept back.");
});
