import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LoadedConfig } from "../../config/load.ts";
import { appendLine, writeFileAtomic } from "../../util/fs.ts";
import type { HistoryEntry } from "./state.ts";

export type HistorySettings = { home: string; isOn: boolean; maxBytes: number | undefined };

export function historySettings({ home, values }: LoadedConfig): HistorySettings {
  const { persistence, max_bytes: maxBytes } = values.history;
  return { home, isOn: persistence !== "none", maxBytes };
}

/** In bytes; what is older is not offered. */
const MOST_READ = 4 * 1024 * 1024;

/** What was typed, in a file that is shared by all sessions: one JSON line each, the oldest first. */
export class InputHistory {
  #settings: HistorySettings | undefined;

  /** Earlier entries, the newest first, those of `cwd` before all others. Broken lines are left out. */
  async open(settings: HistorySettings, cwd: string): Promise<HistoryEntry[]> {
    this.#settings = settings;
    if (!settings.isOn) return [];
    const text = await endOf(fileIn(settings.home));
    if (text === undefined) {
      this.#settings = { ...settings, isOn: false };
      return [];
    }
    const entries = text.split("\n").flatMap(parsed).reverse();
    const seen = new Set<string>();
    const unique = entries.filter((entry) => !seen.has(entry.text) && seen.add(entry.text));
    return [...unique.filter((entry) => entry.cwd === cwd), ...unique.filter((entry) => entry.cwd !== cwd)];
  }

  /** Appends an entry. A history that can't be written is no reason to stop a conversation. */
  async add(entry: { sessionId: string; text: string; cwd: string; at: number }): Promise<void> {
    const settings = this.#settings;
    if (!settings?.isOn) return;
    const { sessionId, text, cwd, at } = entry;
    const line = JSON.stringify({ session_id: sessionId, ts: Math.floor(at / 1000), text, cwd });
    try {
      appendLine(fileIn(settings.home), line);
      if (settings.maxBytes !== undefined) await shorten(fileIn(settings.home), settings.maxBytes);
    } catch {
      this.#settings = { ...settings, isOn: false };
    }
  }
}

/**
 * The end of the file, or nothing where there is none. Undefined when it is a pipe or a device: to read or write those
 * might never end.
 */
async function endOf(file: string): Promise<string | undefined> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return undefined;
    return await Bun.file(file)
      .slice(Math.max(0, facts.size - MOST_READ))
      .text();
  } catch {
    return "";
  }
}

function fileIn(home: string): string {
  return join(home, "history.jsonl");
}

/** Drops the oldest lines down to four fifths of the limit. */
async function shorten(file: string, maxBytes: number): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length <= maxBytes) return;
  const tail = bytes.subarray(bytes.length - Math.floor(maxBytes * 0.8));
  await writeFileAtomic(file, tail.subarray(tail.indexOf(10) + 1).toString("utf8"));
}

function parsed(line: string): HistoryEntry[] {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("text" in value) || typeof value.text !== "string")
      return [];
    const seconds = "ts" in value && typeof value.ts === "number" ? value.ts : 0;
    const cwd = "cwd" in value && typeof value.cwd === "string" ? { cwd: value.cwd } : {};
    return [{ text: value.text, at: seconds * 1000, ...cwd }];
  } catch {
    return [];
  }
}
