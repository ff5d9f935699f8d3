import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { SessionFacts } from "../protocol/events.ts";
import { textOf } from "../protocol/items.ts";
import { isRecord, type Json } from "../util/json.ts";
import { JsonlDecoder } from "../util/jsonl.ts";
import { decodeContext, decodeFacts } from "./facts-lines.ts";
import type { RolloutFile } from "./find.ts";
import { decodeItem } from "./item-lines.ts";
import { textAt, withoutUndefined } from "./json.ts";
import { RECORD_START, type RolloutRecord, readRecord } from "./record.ts";
import type { LastContext, SessionSummary } from "./types.ts";

const FIRST_STEP_BYTES = 4 * 1024;
const HEAD_STEP_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 1024 * 1024;
const MAX_PREVIEW = 160;

/**
 * A summary from the first lines of a file. Undefined for a session of another folder than `cwd`, for a sub-agent's
 * session, and for a file that tells nothing.
 */
export function summarize(
  file: RolloutFile,
  title: string | undefined,
  cwd: string | undefined,
): SessionSummary | undefined {
  const head = new Head();
  try {
    if (!readHead(file.path, head, cwd)) return undefined;
    const summary = head.summary(file, statSync(file.path).mtime.toISOString(), title);
    return cwd === undefined || summary?.cwd === cwd ? summary : undefined;
  } catch {
    // Removed while the list was made, or unreadable: not something to go on with.
    return undefined;
  }
}

/** What a list of sessions needs, picked from the first lines. */
export class Head {
  #preview: string | undefined;
  #meta: { payload: Json; metadata: Json } | undefined;
  #context: LastContext | undefined;

  add(value: unknown): void {
    const record = readRecord(value);
    if (record === undefined) return;
    const { type, payload, metadata = {} } = record;
    if (type === "session_meta" && isRecord(payload)) this.#meta ??= { payload, metadata };
    else if (type === "turn_context") this.#context ??= decodeContext(payload, metadata);
    else this.#preview ??= previewOf(record);
  }

  isComplete(): boolean {
    return this.#meta !== undefined && this.#context !== undefined && this.#preview !== undefined;
  }

  summary(file: RolloutFile, updatedAt: string, title: string | undefined): SessionSummary | undefined {
    const facts = this.#facts(file);
    if (facts === undefined || facts.parent !== undefined) return undefined;
    return withoutUndefined({
      id: facts.id,
      path: file.path,
      cwd: facts.cwd,
      createdAt: facts.createdAt,
      updatedAt,
      source: facts.source,
      model: facts.model === "" ? undefined : facts.model,
      title: title ?? facts.title,
      preview: this.#preview,
    });
  }

  #facts(file: RolloutFile): SessionFacts | undefined {
    const context = this.#context;
    // Without its first line a file still tells where it belongs.
    if (this.#meta === undefined && context === undefined) return undefined;
    return decodeFacts(this.#meta?.payload ?? {}, this.#meta?.metadata ?? {}, {
      id: file.id,
      createdAt: file.createdAt,
      cwd: context?.cwd ?? "",
      provider: context?.provider ?? "",
      model: context?.model ?? "",
      harness: context?.harness ?? "",
    });
  }
}

/** False as soon as it is seen that the session belongs to another folder. */
function readHead(path: string, head: Head, cwd: string | undefined): boolean {
  const sink = { value: (value: unknown) => head.add(value), damage: () => {} };
  const decoder = new JsonlDecoder(sink, { lineStart: RECORD_START });
  const fd = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(HEAD_STEP_BYTES);
    let read = 0;
    while (read < MAX_HEAD_BYTES && !head.isComplete()) {
      const count = readSync(fd, buffer, 0, read === 0 ? FIRST_STEP_BYTES : HEAD_STEP_BYTES, read);
      if (count === 0) {
        decoder.end();
        return true;
      }
      const chunk = buffer.subarray(0, count);
      if (read === 0 && isElsewhere(chunk.toString(), cwd)) return false;
      decoder.feed(chunk);
      read += count;
    }
    return true;
  } finally {
    closeSync(fd);
  }
}

/** Most files of a long list are passed over by the folder that they name first, without parsing a line. */
function isElsewhere(start: string, cwd: string | undefined): boolean {
  const literal = /"cwd":\s*("(?:[^"\\]|\\.)*")/.exec(start)?.[1];
  return cwd !== undefined && literal !== undefined && JSON.parse(literal) !== cwd;
}

function previewOf(record: RolloutRecord): string | undefined {
  const text = record.type === "event_msg" ? userMessage(record.payload) : userItem(record);
  const line = text?.replace(/\s+/g, " ").trim().slice(0, MAX_PREVIEW).trimEnd();
  return line === "" ? undefined : line;
}

function userMessage(payload: unknown): string | undefined {
  return isRecord(payload) && textAt(payload, "type") === "user_message"
    ? textAt(payload, "message")
    : undefined;
}

function userItem(record: RolloutRecord): string | undefined {
  if (record.type !== "response_item") return undefined;
  const item = decodeItem(record.payload, record.metadata);
  if (typeof item === "string" || item.type !== "message" || item.role !== "user") return undefined;
  const text = textOf(item.content);
  // Notes about the environment are sent as the user, in angle brackets or below a heading.
  return /^\s*[<#]/.test(text) ? undefined : text;
}
