import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import type { MemoryKey, RunContext, ToolResult } from "./types.ts";

type Evidence = { id: string; source: string; note: string; snippet: string };

/** What the model has put aside in this session. */
const EVIDENCE: MemoryKey<{ list: Evidence[] }> = { name: "evidence", init: () => ({ list: [] }) };

const EvidenceInput = z.looseObject({
  action: z.enum(["add", "get", "list"]),
  source: z.string().optional(),
  note: z.string().optional(),
  snippet: z.string().optional(),
  id: z.string().optional(),
});
type EvidenceInput = z.infer<typeof EvidenceInput>;

/** Native "evidence": snippets that the model puts aside with their source, and looks up later. */
export const evidence = defineTool<EvidenceInput>({
  name: "evidence",
  schema: EvidenceInput,
  parallel: false,
  prepare: async (input) => readingCall([], async (run) => answer(input, run)),
});

function answer(input: EvidenceInput, { memory }: RunContext): ToolResult {
  const { list } = memory.get(EVIDENCE);
  switch (input.action) {
    case "add":
      return added(input, list);
    case "get":
      return shown(input.id ?? "", list);
    case "list": {
      const text = list.map(({ id, source, note }) => `${id}: ${note} (${source})`).join("\n");
      return textResult(true, text === "" ? "(nothing was put aside yet)" : text);
    }
  }
}

function added({ source = "", note = "", snippet = "" }: EvidenceInput, list: Evidence[]): ToolResult {
  const id = `e${list.length + 1}`;
  list.push({ id, source, note, snippet });
  return textResult(true, `Put aside as ${id}`);
}

function shown(id: string, list: readonly Evidence[]): ToolResult {
  const found = list.find((one) => one.id === id);
  if (found) return textResult(true, `${found.note}\nSource: ${found.source}\n\n${found.snippet}`);
  const known = list.length === 0 ? "nothing was put aside yet" : `there are e1 to e${list.length}`;
  return textResult(false, `there is no evidence ${id}; ${known}`);
}
