import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import type { CatalogTool } from "./types.ts";

const ToolSearchInput = z.looseObject({
  /** Words, of which those with + must be there; or `select:` and names. Empty: all are named. */
  query: z.string(),
  maxResults: z.number().positive().optional(),
});
type ToolSearchInput = z.infer<typeof ToolSearchInput>;

const USUAL_RESULTS = 5;

/** Native "tool_search": finds tools that are kept back, and offers them from the next request on. */
export const toolSearch = defineTool<ToolSearchInput>({
  name: "tool_search",
  schema: ToolSearchInput,
  parallel: true,
  prepare: async ({ query, maxResults = USUAL_RESULTS }) =>
    readingCall([], async ({ catalog }) => {
      const all = catalog?.all() ?? [];
      const names = all.map(({ name }) => name).join(", ");
      const found = matches(all, query.trim(), maxResults);
      if (found.length === 0) {
        const text = names === "" ? "No further tools are kept back." : `Tools that can be loaded: ${names}`;
        return textResult(true, text, { case: "none", names });
      }
      catalog?.load(found.map(({ name }) => name));
      const text = found.map(shown).join("\n\n");
      return textResult(true, `These tools can be called now:\n\n${text}`, {
        case: "loaded",
        names: found.map(({ name }) => name).join(", "),
        tools: text,
      });
    }),
});

function shown({ name, description, parameters }: CatalogTool): string {
  return `${name}: ${description}\nparameters: ${JSON.stringify(parameters)}`;
}

function matches(all: readonly CatalogTool[], query: string, most: number): CatalogTool[] {
  const [, names] = /^select:(.*)$/s.exec(query) ?? [];
  if (names !== undefined) {
    const wanted = names.split(",").map((name) => name.trim().toLowerCase());
    return all.filter(({ name }) => wanted.includes(name.toLowerCase()));
  }
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const needed = words.filter((word) => word.startsWith("+")).map((word) => word.slice(1));
  const bare = words.map((word) => word.replace(/^\+/, ""));
  return all
    .map((tool) => ({ tool, score: scoreOf(tool, bare, needed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ tool }) => tool);
}

/** A word in the name says more than one in the description. */
function scoreOf({ name, description }: CatalogTool, words: readonly string[], needed: readonly string[]) {
  const [title, text] = [name.toLowerCase(), description.toLowerCase()];
  if (!needed.every((word) => title.includes(word) || text.includes(word))) return 0;
  return words.reduce((sum, word) => sum + (title.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0), 0);
}
