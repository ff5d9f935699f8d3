import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import type { AgentState } from "./types.ts";

const AgentsListInput = z.looseObject({
  /** Only those whose id, kind or task holds this. */
  query: z.string().optional(),
  /** Where the last answer ended. */
  cursor: z.string().optional(),
});
type AgentsListInput = z.infer<typeof AgentsListInput>;

const PAGE = 20;

/** Native "agents_list": the child agents of this session, and how far they are. */
export const agentsList = defineTool<AgentsListInput>({
  name: "agents_list",
  schema: AgentsListInput,
  parallel: true,
  prepare: async ({ query = "", cursor = "" }) =>
    readingCall([], async ({ agents }) => {
      const all = (agents?.list() ?? []).filter((agent) => holds(agent, query));
      const from = Math.max(0, Number.parseInt(cursor, 10) || 0);
      const page = all.slice(from, from + PAGE);
      const next = from + page.length < all.length ? String(from + page.length) : "";
      const list = page.map(lineOf).join("\n");
      const empty = query === "" ? "No agents have been started." : `No agent fits "${query}".`;
      const more =
        next === "" ? "" : `\n(${all.length - from - page.length} more; go on with cursor ${next})`;
      return textResult(true, `${list === "" ? empty : list}${more}`, { list, total: all.length, next });
    }),
});

function holds({ id, kind, description, status }: AgentState, query: string): boolean {
  return `${id} ${kind} ${description} ${status}`.toLowerCase().includes(query.toLowerCase());
}

function lineOf({ id, kind, description, status }: AgentState): string {
  return `${id} [${status}] ${kind}: ${description}`;
}
