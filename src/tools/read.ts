import { readdir, readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "./define.ts";
import { imagePart, imageType } from "./files/image.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { cutLine, DEFAULT_NUMBERS, numberedLine } from "./files/numbered.ts";
import { asOpen } from "./files/open-in-editor.ts";
import { osErrorText } from "./files/os-error.ts";
import { noteSeen } from "./files/read-state.ts";
import { MAX_FILE_BYTES } from "./files/size-limit.ts";
import { looksBinary, readForeign, readUtf8 } from "./files/text.ts";
import { splitLines } from "./files/text-lines.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const ReadInput = z.looseObject({
  path: z.string(),
  /** The first line to show, from 1; a negative number counts from the end. */
  offset: z.number().int().optional(),
  limit: z.number().int().positive().optional(),
  /** What stands in front of a line, see NumberFormat; "" for the bare text. */
  numbers: z.string().optional(),
  maxLineChars: z.number().int().positive().optional(),
  /** Stands at the end of a line that was cut, in place of our own words. */
  cutMark: z.string().optional(),
  /** Lines shown when no limit is given. */
  defaultLimit: z.number().int().positive().optional(),
  /** Show the empty line after the last line end as a line of its own. */
  finalLine: z.boolean().optional(),
  /** Characters shown at most, within the output budget. */
  maxChars: z.number().int().positive().optional(),
  /** Characters of the first line that are left out, for lines that are longer than can be shown at once. */
  column: z.number().int().nonnegative().optional(),
});
type ReadInput = z.infer<typeof ReadInput>;

const DEFAULT_LINES = 1000;
const DEFAULT_LINE_CHARS = 2000;
const MAX_LISTED = 20;

/** Native "read": the lines of a text file, or a picture. */
export const read = defineTool<ReadInput>({
  name: "read",
  schema: ReadInput,
  parallel: true,
  async prepare(input, ctx) {
    const path = absolutePath(input.path, ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    return readingCall(touched(location), (run) => readPath(path, location.target, input, run));
  },
});

async function readPath(
  path: string,
  target: string,
  input: ReadInput,
  ctx: RunContext,
): Promise<ToolResult> {
  const stats = await stat(target).catch(() => undefined);
  if (!stats) return missing(path, ctx);
  if (stats.isDirectory()) return textResult(false, await folderText(path, target), { case: "folder", path });
  if (!stats.isFile()) return textResult(false, `${path} is not a regular file`);
  if (stats.size > MAX_FILE_BYTES)
    return textResult(
      false,
      `${path} is too large to read (${stats.size} bytes); search it, or cut a part out by a command`,
    );
  let bytes: Uint8Array;
  try {
    bytes = await asOpen(target, await readFile(target), ctx.editor);
  } catch (error) {
    return textResult(false, `${path} can't be read: ${osErrorText(error)}`);
  }
  const picture = imageType(bytes);
  if (picture && ctx.images)
    return {
      ok: true,
      content: [await imagePart(bytes, picture)],
      fields: { case: "picture", path },
      detail: { kind: "none" },
    };
  if (picture)
    return textResult(false, `${path} is a picture (${picture}), and the model can't look at pictures`);
  if (looksBinary(bytes)) return textResult(false, `${path} is a binary file (${bytes.length} bytes)`);
  const result = showText(path, bytes, input, ctx);
  if (result.ok) noteSeen(ctx.memory, target, bytes);
  return result;
}

async function missing(path: string, { cwd, signal }: RunContext): Promise<ToolResult> {
  const text = await missingPathText(path, cwd, signal);
  const hint = text.slice(`${path} does not exist`.length);
  return textResult(false, text, { case: "missing", path, cwd, hint });
}

async function folderText(path: string, target: string): Promise<string> {
  const entries = await readdir(target, { withFileTypes: true }).catch(() => []);
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : "";
  const inside =
    names.length === 0 ? "It is empty" : `It holds ${names.slice(0, MAX_LISTED).join(", ")}${more}`;
  return `${path} is a folder. ${inside}`;
}

function showText(path: string, bytes: Uint8Array, input: ReadInput, ctx: RunContext): ToolResult {
  const decoded = readUtf8(bytes);
  const foreign = "notText" in decoded ? readForeign(bytes) : undefined;
  const text = (foreign?.text ?? ("text" in decoded ? decoded.text : "")).replace(/^\uFEFF/, "");
  const lines = splitLines(text).texts;
  if (lines.length === 0) {
    const fields = { case: "empty", path, text: "", from: 0, to: 0, total: 0, more: false };
    return textResult(true, "(the file is empty)", fields);
  }
  if (input.finalLine && text.endsWith("\n")) lines.push("");
  const total = lines.length;
  const offset = input.offset ?? 1;
  const from = offset < 0 ? Math.max(1, total + offset + 1) : Math.max(1, offset);
  if (from > total) {
    const problem = `${path} has ${total} ${total === 1 ? "line" : "lines"}; line ${from} is past its end`;
    return textResult(false, problem, { case: "past_end", path, total, from });
  }
  const encoding = foreign
    ? `shown as ${foreign.encoding}; editing it by these tools is refused, it is not UTF-8`
    : "";
  return showWindow(lines, { path, from, encoding }, input, ctx);
}

function showWindow(
  lines: readonly string[],
  { path, from, encoding }: { path: string; from: number; encoding: string },
  input: ReadInput,
  ctx: RunContext,
): ToolResult {
  const total = lines.length;
  const shown = windowOf(lines, from, input, ctx);
  const to = from + shown.length - 1;
  const more = to < total;
  const partial = from > 1 || more;
  const place = `lines ${from}-${to} of ${total}${more ? `; go on with offset ${to + 1}` : ""}`;
  const notes = [...(partial ? [place] : []), ...(encoding ? [encoding] : [])];
  const text = shown.join("\n");
  const note = notes.length === 0 ? "" : `\n(${notes.join("; ")})`;
  // Cut: there would be more, and it was not the call that left it out.
  const isCut = more && shown.length !== input.limit;
  return textResult(true, text + note, {
    case: isCut ? "cut" : "text",
    path,
    text,
    from,
    to,
    total,
    more,
    partial,
    encoding,
    next: to + 1,
    lines: shown.length,
    left: total - to,
    maxChars: charBudget(input, ctx),
  });
}

/** As many lines as were asked for and the output budget holds, at least one. */
function windowOf(lines: readonly string[], from: number, input: ReadInput, ctx: RunContext): string[] {
  const budget = charBudget(input, ctx);
  const end = Math.min(lines.length, from - 1 + (input.limit ?? input.defaultLimit ?? DEFAULT_LINES));
  const shown: string[] = [];
  let bytes = 0;
  for (let i = from - 1; i < end; i++) {
    const whole = lines[i] ?? "";
    const line = i === from - 1 ? whole.slice(input.column ?? 0) : whole;
    const cut = cutLine(line, input.maxLineChars ?? DEFAULT_LINE_CHARS, input.cutMark);
    const shownLine = numberedLine(cut, i + 1, input.numbers ?? DEFAULT_NUMBERS);
    bytes += Buffer.byteLength(shownLine) + 1;
    // The note about what is left out has to fit as well.
    if (bytes > budget - 200 && shown.length > 0) break;
    shown.push(shownLine);
  }
  return shown;
}

function charBudget({ maxChars }: ReadInput, { outputLimit: { unit, limit } }: RunContext): number {
  return Math.min(unit === "tokens" ? limit * 4 : limit, maxChars ?? Number.POSITIVE_INFINITY);
}
