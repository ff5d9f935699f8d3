import type { ToolSpec } from "./types.ts";

/**
 * Lets a tool's own code know the type of its input while everybody else holds a plain `ToolSpec`: `prepare` reads the
 * input through the schema once more, so that it is safe whatever the caller hands in.
 */
export function defineTool<I>(tool: ToolSpec<I>): ToolSpec {
  return {
    name: tool.name,
    schema: tool.schema,
    parallel: tool.parallel,
    prepare: (input, ctx) => tool.prepare(tool.schema.parse(input), ctx),
  };
}
