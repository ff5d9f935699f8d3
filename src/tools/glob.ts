import { stat } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import { Glob } from "bun";
import { z } from "zod";
import { walk } from "../util/walk.ts";
import { defineTool } from "./define.ts";
import { hiddenBy } from "./files/denied.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const GlobInput = z.looseObject({
  pattern: z.string(),
  path: z.string().optional(),
  limit: z.number().int().positive().optional(),
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
      findFiles(path, location.target, { ...input, pattern }, run),
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
  input: GlobInput,
  ctx: RunContext,
): Promise<ToolResult> {
  const stats = await stat(target).catch(() => undefined);
  if (!stats) return textResult(false, await missingPathText(path, ctx.cwd, ctx.signal));
  if (!stats.isDirectory()) return textResult(false, `${path} is a file, not a folder`);
  const limit = input.limit ?? DEFAULT_LIMIT;
  const matches = await matchingFiles(path, target, input.pattern, ctx);
  const newest = matches.toSorted((a, b) => b.changedMs - a.changedMs || (a.path < b.path ? -1 : 1));
  const shown = newest
    .slice(0, limit)
    .map((match) => (input.absolute ? match.path : shortPath(match.path, ctx.cwd)));
  const text = shown.join("\n");
  if (shown.length === 0) return textResult(true, "No files found", { files: 0, text: "", more: false });
  const more = matches.length > limit;
  const note = more
    ? `\n(the newest ${limit} of ${matches.length} files; narrow the pattern for the rest)`
    : "";
  return textResult(true, text + note, { files: matches.length, text, more });
}

async function matchingFiles(
  path: string,
  target: string,
  pattern: string,
  ctx: RunContext,
): Promise<Match[]> {
  const matcher = new Glob(pattern);
  const found: Match[] = [];
  for await (const entry of walk(target, { skip: hiddenBy(ctx.policy) }, ctx.signal)) {
    if (entry.kind !== "file" && entry.kind !== "link") continue;
    if (!matcher.match(entry.relative)) continue;
    const stats = await stat(entry.path).catch(() => undefined);
    if (stats?.isFile()) found.push({ path: `${path}/${entry.relative}`, changedMs: stats.mtimeMs });
  }
  return found;
}

function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") ? path : short;
}
