import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { Glob } from "bun";
import { z } from "zod";
import { walk } from "../util/walk.ts";
import { defineTool } from "./define.ts";
import { hiddenBy } from "./files/denied.ts";
import { absolutePath, homeOf, locate, shortPath, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { failedSearch, readingCall, secondsSince, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const GlobInput = z.looseObject({
  pattern: z.string(),
  path: z.string().optional(),
  /** 0 for all. */
  limit: z.number().int().nonnegative().optional(),
  /** This many are left out at the beginning. */
  offset: z.number().int().nonnegative().optional(),
  /** Also what ignore files name. */
  includeIgnored: z.boolean().optional(),
  /** Folders count as well. */
  includeDirs: z.boolean().optional(),
  /** Absolute paths in the answer instead of paths relative to the folder of the call. */
  absolute: z.boolean().optional(),
});
type GlobInput = z.infer<typeof GlobInput>;
type Match = { path: string; changedMs: number };

const DEFAULT_LIMIT = 100;

/** Native "glob": files whose path matches a pattern, newest first; what .gitignore names is left out. */
export const glob = defineTool<GlobInput>({
  name: "glob",
  schema: GlobInput,
  parallel: true,
  async prepare(input, ctx) {
    const { folder, pattern } = splitPattern(input);
    const path = absolutePath(folder, ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    return readingCall(touched(location), (run) =>
      findFiles(path, location.target, { ...input, pattern, asked: input.pattern }, run),
    );
  },
});

/** Models also write the folder into the pattern: the part before the first wildcard is the folder to search. */
function splitPattern({ pattern, path }: GlobInput): { folder: string; pattern: string } {
  const parts = pattern.replace(/^\.\//, "").split("/");
  const wild = parts.findIndex((part) => /[*?[{]/.test(part));
  const fixed = parts.slice(0, wild === -1 ? -1 : wild);
  const base = path === undefined || path === "" ? "." : path;
  const folder = isAbsolute(pattern) ? fixed.join("/") || "/" : [base, ...fixed].join("/");
  return { folder, pattern: parts.slice(fixed.length).join("/") };
}

async function findFiles(
  path: string,
  target: string,
  input: GlobInput & { asked: string },
  ctx: RunContext,
): Promise<ToolResult> {
  const begin = performance.now();
  const stats = await stat(target).catch(() => undefined);
  if (!stats) return failedSearch(await missingPathText(path, ctx.cwd, ctx.signal), begin);
  if (!stats.isDirectory()) return failedSearch(`${path} is a file, not a folder`, begin);
  const limit = input.limit === 0 ? Number.POSITIVE_INFINITY : (input.limit ?? DEFAULT_LIMIT);
  const { offset = 0 } = input;
  const matches = await matchingFiles(path, target, input, ctx);
  const newest = matches.toSorted((a, b) => b.changedMs - a.changedMs || (a.path < b.path ? -1 : 1));
  const shown = newest
    .slice(offset, offset + limit)
    .map((match) => (input.absolute ? match.path : shortPath(match.path, ctx.cwd)));
  const text = shown.join("\n");
  const more = matches.length > offset + limit;
  const wallTime = secondsSince(begin);
  const fields = { files: matches.length, text, more, wallTime, pattern: input.asked, path };
  if (shown.length === 0) return textResult(true, "No files found", fields);
  const note = more
    ? `\n(the newest ${limit} of ${matches.length} files; narrow the pattern for the rest)`
    : "";
  return textResult(true, text + note, fields);
}

async function matchingFiles(
  path: string,
  target: string,
  { pattern, includeIgnored, includeDirs }: GlobInput,
  ctx: RunContext,
): Promise<Match[]> {
  const matcher = new Glob(pattern);
  const options = { skip: hiddenBy(ctx.policy), ...(includeIgnored ? { includeIgnored } : {}) };
  const found: Match[] = [];
  for await (const entry of walk(target, options, ctx.signal)) {
    if (entry.kind === "other" || (entry.kind === "folder" && !includeDirs)) continue;
    if (!matcher.match(entry.relative)) continue;
    const stats = await stat(entry.path).catch(() => undefined);
    if (stats?.isFile() || (includeDirs && stats?.isDirectory()))
      found.push({ path: `${path}/${entry.relative}`, changedMs: stats.mtimeMs });
  }
  return found;
}
