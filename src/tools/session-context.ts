import { z } from "zod";
import type { Item } from "../protocol/items.ts";
import { textOf } from "../protocol/items.ts";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const SessionContextInput = z.looseObject({
  /** With or without the `sess_` that some harnesses put before it; without it, this session. */
  sessionId: z.string().min(1).optional(),
  query: z.string().min(1),
  /** "relevant": what speaks of the query. "handoff": the task and the newest steps. */
  strategy: z.enum(["relevant", "handoff"]).optional(),
  maxTokens: z.number().positive().optional(),
});
type SessionContextInput = z.infer<typeof SessionContextInput>;

const USUAL_TOKENS = 4000;
const CHARACTERS_PER_TOKEN = 4;
const LONGEST_ENTRY = 2000;

/** Native "session_context": passages of this or an earlier session of the folder, or of a child agent. */
export const sessionContext = defineTool<SessionContextInput>({
  name: "session_context",
  schema: SessionContextInput,
  parallel: true,
  prepare: async (input) => readingCall([], (ctx) => passages(input, ctx)),
});

async function passages(input: SessionContextInput, ctx: RunContext): Promise<ToolResult> {
  const { sessions } = ctx;
  const { sessionId = ctx.sessionId } = input;
  const id = sessionId.replace(/^sess_/, "");
  const items = await sessions?.read(id);
  if (!items)
    return textResult(false, `there is no session ${sessionId} for this folder`, { case: "unknown" });
  const entries = items.flatMap(entryOf);
  const { strategy = "relevant", maxTokens = USUAL_TOKENS } = input;
  const ranked = strategy === "handoff" ? firstAndNewest(entries) : byRelevance(entries, input.query);
  const chosen = fitting(ranked, maxTokens * CHARACTERS_PER_TOKEN).sort((a, b) => a.at - b.at);
  if (chosen.length === 0)
    return textResult(true, `nothing in the session ${sessionId} speaks of this`, { case: "nothing" });
  const text = chosen.map((entry) => entry.text).join("\n\n");
  return textResult(true, text, { case: "found", entries: chosen.length, total: entries.length });
}

type Entry = { at: number; text: string };

function entryOf(item: Item, at: number): Entry[] {
  const text = textFor(item);
  return text === undefined || text === "" ? [] : [{ at, text: cut(text) }];
}

/** What our own notes to the model say is no news to it, so messages of the system stay out. */
function textFor(item: Item): string | undefined {
  switch (item.type) {
    case "message":
      return item.role === "user" || item.role === "assistant"
        ? `${item.role}: ${textOf(item.content)}`
        : undefined;
    case "tool_call":
      return `call: ${item.name} ${item.input.raw}`;
    case "tool_result":
      return `${item.ok ? "result" : "failed"}: ${textOf(item.content)}`;
    case "compaction":
      return `summary: ${item.summary}`;
    case "reasoning":
    case "opaque":
      return undefined;
  }
}

function cut(text: string): string {
  return text.length <= LONGEST_ENTRY ? text : `${text.slice(0, LONGEST_ENTRY)}...`;
}

function firstAndNewest(entries: readonly Entry[]): Entry[] {
  const [task, ...later] = entries;
  return task ? [task, ...later.reverse()] : [];
}

/** Entries that share words with the query, rare words counting more; of equals the newer first. */
function byRelevance(entries: readonly Entry[], query: string): Entry[] {
  const wanted = [...new Set(wordsOf(query))];
  const lower = entries.map(({ text }) => text.toLowerCase());
  const weights = wanted.map((word) => {
    const count = lower.filter((text) => text.includes(word)).length;
    return { word, weight: count === 0 ? 0 : Math.log(1 + entries.length / count) };
  });
  const scored = entries.map((entry, index) => ({
    entry,
    score: weights.reduce((sum, { word, weight }) => sum + (lower[index]?.includes(word) ? weight : 0), 0),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.entry.at - a.entry.at)
    .map(({ entry }) => entry);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? [];
}

function fitting(entries: readonly Entry[], most: number): Entry[] {
  let left = most;
  return entries.filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length + 2;
    return true;
  });
}
