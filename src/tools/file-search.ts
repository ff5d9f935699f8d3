import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { z } from "zod";
import { walk } from "../util/walk.ts";
import { defineTool } from "./define.ts";
import { hiddenBy } from "./files/denied.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const FileSearchInput = z.looseObject({
  query: z.string().min(1),
  path: z.string().optional(),
  limit: z.number().int().positive().optional(),
  /** With or without their dot. */
  extensions: z.array(z.string()).optional(),
  /** Parts of paths that are left out. */
  exclude: z.array(z.string()).optional(),
});
type FileSearchInput = z.infer<typeof FileSearchInput>;

const DEFAULT_LIMIT = 20;

/** Native "file_search": files whose path is like a few letters, the likeliest first; what .gitignore names is left out. */
export const fileSearch = defineTool<FileSearchInput>({
  name: "file_search",
  schema: FileSearchInput,
  parallel: true,
  async prepare(input, ctx) {
    const path = absolutePath(input.path ?? ".", ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    return readingCall(touched(location), (run) => search(path, location.target, input, run));
  },
});

async function search(
  path: string,
  target: string,
  { query, limit = DEFAULT_LIMIT, extensions = [], exclude = [] }: FileSearchInput,
  ctx: RunContext,
): Promise<ToolResult> {
  const stats = await stat(target).catch(() => undefined);
  if (!stats) return textResult(false, await missingPathText(path, ctx.cwd, ctx.signal));
  const wanted = new Set(extensions.map((one) => `.${one.replace(/^\./, "").toLowerCase()}`));
  const found: { path: string; score: number }[] = [];
  for await (const entry of walk(target, { skip: hiddenBy(ctx.policy) }, ctx.signal)) {
    if (entry.kind !== "file" || exclude.some((part) => entry.relative.includes(part))) continue;
    if (wanted.size > 0 && !wanted.has(extname(entry.relative).toLowerCase())) continue;
    const score = likeness(query.toLowerCase(), entry.relative.toLowerCase());
    if (score > 0) found.push({ path: entry.relative, score });
  }
  const best = found.toSorted(
    (a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
  );
  const text = best
    .slice(0, limit)
    .map((match) => match.path)
    .join("\n");
  if (text === "") return textResult(true, "No files found", { text, files: 0, more: false });
  const more = best.length > limit;
  const note = more ? `\n(the ${limit} likeliest of ${best.length} files)` : "";
  return textResult(true, text + note, { text, files: best.length, more });
}

/** 0 when the letters do not even stand in the path in this order. */
function likeness(query: string, path: string): number {
  const name = basename(path);
  if (name === query) return 5;
  if (name.startsWith(query)) return 4;
  if (name.includes(query)) return 3;
  if (path.includes(query)) return 2;
  return standsIn(query, path) ? 1 : 0;
}

function standsIn(letters: string, path: string): boolean {
  let at = 0;
  for (const letter of letters) {
    const next = path.indexOf(letter, at);
    if (next < 0) return false;
    at = next + 1;
  }
  return true;
}
