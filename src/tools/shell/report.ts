import { shortHex } from "../../util/ids.ts";
import { type TextBudget, tokensIn, truncateMiddle } from "../../util/truncate.ts";
import type { ToolContext } from "../types.ts";
import { readable } from "./model-text.ts";
import type { Output } from "./output.ts";

/** A command's output as the model reads it: `full` without escape codes, `text` within the budget. */
export type Digest = { full: string; text: string; isCut: boolean; tokens: number; lines: number };

export function digest(output: Output, budget: TextBudget): Digest {
  const full = readable(output.text);
  const text = truncateMiddle(full, budget);
  const tokens = tokensIn(Buffer.byteLength(full) + output.omittedBytes);
  return { full, text, isCut: text !== full, tokens, lines: output.lines };
}

/** The budget that the model asks for, as far as its own limit allows. */
export function outputBudget(
  limit: ToolContext["outputLimit"],
  maxOutputTokens: number | undefined,
): TextBudget {
  if (maxOutputTokens === undefined) return limit;
  const asked: TextBudget = { unit: "tokens", limit: Math.max(0, maxOutputTokens) };
  return bytesOf(asked) < bytesOf(limit) ? asked : limit;
}

/** What `exec` and `exec_stdin` answer. `status` is a sentence such as "Process exited with code 0". */
export function unifiedReport(
  status: string,
  wallMs: number,
  output: Digest,
  note: string | undefined,
): string {
  const text = output.isCut
    ? `Warning: truncated output (original token count: ${output.tokens})\nTotal output lines: ${output.lines}\n\n${output.text}`
    : output.text;
  return withNote(
    [
      `Chunk ID: ${shortHex(6)}`,
      `Wall time: ${(wallMs / 1000).toFixed(4)} seconds`,
      status,
      `Original token count: ${output.tokens}`,
      "Output:",
      text,
    ].join("\n"),
    note,
  );
}

/** What `shell` answers. `preface` comes before the output, for instance that time ran out. */
export function plainReport(
  exitCode: number,
  wallMs: number,
  output: Digest,
  extra: { preface?: string; note?: string },
): string {
  return withNote(
    [
      `Exit code: ${exitCode}`,
      `Wall time: ${(wallMs / 1000).toFixed(1)} seconds`,
      ...(output.isCut ? [`Total output lines: ${output.lines}`] : []),
      "Output:",
      ...(extra.preface ? [extra.preface] : []),
      output.text,
    ].join("\n"),
    extra.note,
  );
}

function withNote(text: string, note: string | undefined): string {
  if (!note) return text;
  return `${text}${text.endsWith("\n") ? "" : "\n"}${note}`;
}

function bytesOf({ unit, limit }: TextBudget): number {
  return unit === "tokens" ? limit * 4 : limit;
}
