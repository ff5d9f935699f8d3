import type { MemoryKey, ToolMemory } from "../types.ts";

/** What the model has seen of a file: nothing, the file as it is now, or an earlier state of it. */
export type Knowledge = "unread" | "current" | "stale";

/** Real path to a fingerprint of the content that the model saw last. */
const FILE_READS: MemoryKey<Map<string, string>> = { name: "fileReads", init: () => new Map() };

/** Call with the content that the model was shown or wrote itself. */
export function noteSeen(memory: ToolMemory, realPath: string, content: string | Uint8Array): void {
  memory.get(FILE_READS).set(realPath, fingerprint(content));
}

export function noteGone(memory: ToolMemory, realPath: string): void {
  memory.get(FILE_READS).delete(realPath);
}

export function knowledge(memory: ToolMemory, realPath: string, content: string | Uint8Array): Knowledge {
  const seen = memory.get(FILE_READS).get(realPath);
  if (seen === undefined) return "unread";
  return seen === fingerprint(content) ? "current" : "stale";
}

function fingerprint(content: string | Uint8Array): string {
  return Bun.hash(typeof content === "string" ? Buffer.from(content) : content).toString(36);
}
