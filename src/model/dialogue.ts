import {
  type Item,
  type MessageItem,
  type OpaqueItem,
  type Part,
  type ReasoningItem,
  type ToolCall,
  type ToolResultItem,
  textOf,
} from "../protocol/items.ts";

/** History as wires with alternating roles need it. */
export type Dialogue = {
  /** System and developer texts that come before everything else. */
  lead: string[];
  entries: Entry[];
};
export type Entry = Note | Answer;
/** Something said to the model. */
export type Note = { kind: "note"; role: "user" | "developer" | "system"; content: readonly Part[] };
/** One answer of the model, and what came of its calls, in their order. A call without a result was never finished. */
export type Answer = { kind: "answer"; pieces: Piece[]; results: Outcome[] };
export type Piece = MessageItem | ReasoningItem | ToolCall | OpaqueItem;
export type Outcome = { call: ToolCall; result: ToolResultItem | undefined };

/** The outcomes as their results came in; calls without one stay at the end. `items` is the history they stand in. */
export function byCompletion(outcomes: readonly Outcome[], items: readonly Item[]): Outcome[] {
  const place = ({ result }: Outcome) => (result ? items.indexOf(result) : items.length);
  return outcomes.toSorted((a, b) => place(a) - place(b));
}

/** Text that stands for the result of a call that has none. */
export const ABORTED = "aborted";

/** Groups items so that every answer is directly followed by the results of its calls, whatever stands between them. */
export function arrange(items: readonly Item[]): Dialogue {
  const start = items.findIndex((item) => !isLead(item));
  const body = start < 0 ? [] : items.slice(start);
  const lead = (start < 0 ? items : items.slice(0, start)).flatMap((item) =>
    item.type === "message" ? [textOf(item.content)] : [],
  );
  return { lead: lead.filter((text) => text !== ""), entries: entriesOf(body) };
}

function entriesOf(items: readonly Item[]): Entry[] {
  const waiting = resultsById(items);
  const entries: Entry[] = [];
  let open: Answer | undefined;
  for (const item of items) {
    if (item.type === "tool_result") {
      // Results were taken when their call was seen; here they only end the answer.
      open = undefined;
    } else if (item.type === "compaction") {
      open = undefined;
      entries.push({ kind: "note", role: "user", content: [{ type: "input_text", text: item.summary }] });
    } else if (isNote(item)) {
      open = undefined;
      entries.push({ kind: "note", role: item.role, content: item.content });
    } else {
      if (!open) {
        open = { kind: "answer", pieces: [], results: [] };
        entries.push(open);
      }
      open.pieces.push(item);
      if (item.type === "tool_call")
        open.results.push({ call: item, result: waiting.get(item.callId)?.shift() });
    }
  }
  return entries;
}

type NoteItem = MessageItem & { role: Note["role"] };

function isNote(item: Item): item is NoteItem {
  return item.type === "message" && item.role !== "assistant";
}

/** Some servers use the same ids in every answer, so each id has a queue. */
function resultsById(items: readonly Item[]): Map<string, ToolResultItem[]> {
  const results = new Map<string, ToolResultItem[]>();
  for (const item of items) {
    if (item.type !== "tool_result") continue;
    const queue = results.get(item.callId);
    if (queue) queue.push(item);
    else results.set(item.callId, [item]);
  }
  return results;
}

function isLead(item: Item): boolean {
  return item.type === "message" && (item.role === "system" || item.role === "developer");
}
