import { isRecord, type Json } from "../util/json.ts";
import { numberAt, objectAt, textAt, valueAt } from "./json.ts";

/** What one line of a session file says, without when. Facts of ours that a payload has no field for are its `metadata`. */
export type Entry = { type: string; payload: unknown; metadata?: Json };

/** `timestamp` is RFC 3339 with milliseconds in UTC; `ordinal` counts the lines of a file from 0. */
export type RolloutRecord = Entry & { timestamp: string; ordinal?: number };

/** How each line begins, in our files and in those of other programs that write this format. */
export const RECORD_START = '{"timestamp":';

/** One line, with its line end. */
export function recordLine(entry: Entry, timestamp: string, ordinal: number): string {
  const { type, payload, metadata } = entry;
  return `${JSON.stringify({ timestamp, ordinal, type, payload, metadata })}\n`;
}

/** Undefined for a value that is not a record. */
export function readRecord(value: unknown): RolloutRecord | undefined {
  if (!isRecord(value)) return undefined;
  const type = textAt(value, "type");
  if (type === undefined || !("payload" in value)) return undefined;
  const record: RolloutRecord = {
    timestamp: textAt(value, "timestamp") ?? "",
    type,
    payload: valueAt(value, "payload"),
  };
  const ordinal = numberAt(value, "ordinal");
  const metadata = objectAt(value, "metadata");
  if (ordinal !== undefined) record.ordinal = ordinal;
  if (metadata !== undefined) record.metadata = metadata;
  return record;
}
