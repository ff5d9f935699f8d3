import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../util/errors.ts";
import { appendLine, makePrivateFolder } from "../util/fs.ts";
import { isRecord } from "../util/json.ts";
import { JsonlDecoder } from "../util/jsonl.ts";
import { textAt } from "./json.ts";

/** The names people gave to sessions, by session id, those given last at the end. A damaged or missing index costs only names. */
export function readNames(home: string): Map<string, string> {
  const names = new Map<string, string>();
  const sink = {
    value: (value: unknown) => {
      const id = isRecord(value) ? textAt(value, "id") : undefined;
      const name = isRecord(value) ? textAt(value, "thread_name") : undefined;
      if (id === undefined || name === undefined) return;
      names.delete(id);
      names.set(id, name);
    },
    damage: () => {},
  };
  const decoder = new JsonlDecoder(sink, { lineStart: '{"id":' });
  try {
    decoder.feed(readFileSync(indexPath(home)));
  } catch {
    // No index yet, or none that can be read.
  }
  decoder.end();
  return names;
}

/** Adds a name to the index, where the newest counts. Throws AppError "usage" for an empty one. */
export function writeName(home: string, id: string, title: string, now: Date): void {
  const name = title.replace(/\s+/g, " ").trim();
  if (name === "") throw new AppError("usage", "a session's name must not be empty", { hint: "give a name" });
  makePrivateFolder(home);
  appendLine(indexPath(home), JSON.stringify({ id, thread_name: name, updated_at: now.toISOString() }));
}

function indexPath(home: string): string {
  return join(home, "session_index.jsonl");
}
