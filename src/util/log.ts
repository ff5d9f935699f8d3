import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

export type LogEntry = { level: "warn" | "error"; area: string; message: string; data?: unknown };
export type Log = (entry: LogEntry) => void;

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Appends JSON lines to `interpreter.jsonl` in `folder`, for people who look into a problem; the file before the last
 * four megabytes is kept as `.1`. Never throws: a log that can't be written must not stop anything. Values that look
 * like keys are masked.
 */
export function fileLog(folder: string): Log {
  const file = join(folder, "interpreter.jsonl");
  return ({ level, area, message, data }) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`);
      const line = JSON.stringify({
        time: new Date().toISOString(),
        level,
        area,
        message,
        data: plain(data),
      });
      appendFileSync(file, `${masked(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk or a read-only home: there is nobody to tell.
    }
  };
}

function plain(data: unknown): unknown {
  return data instanceof Error ? { message: data.message, stack: data.stack } : data;
}

function masked(line: string): string {
  return line
    .replace(/\b(Bearer\s+)[\w.~+/=-]{8,}/gi, "$1***")
    .replace(/\b(sk|pk|key|ghp|gho|xox[abp]|AIza)[-_]?[\w-]{16,}/g, "$1***");
}
