import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { Glob } from "bun";
import { z } from "zod";
import { toAppError } from "../util/errors.ts";
import { defineTool } from "./define.ts";
import { hiddenBy } from "./files/denied.ts";
import { globOfType } from "./files/file-types.ts";
import type { GrepEngine, GrepQuery } from "./files/grep-query.ts";
import { GrepReporter } from "./files/grep-report.ts";
import { findRipgrep, ripgrep } from "./files/grep-ripgrep.ts";
import { walkerGrep } from "./files/grep-walker.ts";
import { absolutePath, homeOf, locate, shortPath, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { failedSearch, readingCall, secondsSince, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const Count = z.number().int().nonnegative().optional();
const GrepInput = z.looseObject({
  pattern: z.string(),
  path: z.string().optional(),
  /** Only files whose path, or whose name if there is no slash in it, matches. */
  glob: z.union([z.string(), z.array(z.string())]).optional(),
  /** Files like these are left out. */
  exclude: z.array(z.string()).optional(),
  output: z.enum(["content", "files", "count"]).optional(),
  literal: z.boolean().optional(),
  ignoreCase: z.boolean().optional(),
  multiline: z.boolean().optional(),
  before: Count,
  after: Count,
  /** Both `before` and `after`. */
  context: Count,
  lineNumbers: z.boolean().optional(),
  /** Each path once, above its lines. */
  grouped: z.boolean().optional(),
  /** The same with `File:`, `L12:` and rules between the files. */
  marked: z.boolean().optional(),
  /** Absolute paths in the answer. */
  absolute: z.boolean().optional(),
  /** Lines or files in the answer; 0 for all. */
  limit: z.number().int().nonnegative().optional(),
  /** This many lines are left out at the beginning of the answer. */
  offset: Count,
  /** Only files of this kind, e.g. `ts` or `py`. */
  type: z.string().optional(),
  /** Also what ignore files name. */
  includeIgnored: z.boolean().optional(),
});
type GrepInput = z.infer<typeof GrepInput>;

const DEFAULT_LIMIT = 200;

/** Native "grep": lines that match a regular expression, in the order of their paths; what .gitignore names is left out. */
export const grep = defineTool<GrepInput>({
  name: "grep",
  schema: GrepInput,
  parallel: true,
  async prepare(input, ctx) {
    const path = absolutePath(input.path ?? ".", ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    return readingCall(touched(location), (run) => search(path, location.target, input, run));
  },
});

async function search(path: string, root: string, input: GrepInput, ctx: RunContext): Promise<ToolResult> {
  const begin = performance.now();
  const stats = await stat(root).catch(() => undefined);
  if (!stats) return failedSearch(await missingPathText(path, ctx.cwd, ctx.signal), begin);
  // Reading a pipe or a device might never end.
  if (!stats.isFile() && !stats.isDirectory())
    return failedSearch(`${path} is neither a file nor a folder`, begin);
  const query = queryOf(root, input, ctx);
  const limit = input.limit === 0 ? Number.POSITIVE_INFINITY : (input.limit ?? DEFAULT_LIMIT);
  const { offset = 0 } = input;
  const reporter = new GrepReporter({
    output: input.output ?? "content",
    lineNumbers: input.lineNumbers ?? true,
    limit: limit + offset,
    offset,
    hasContext: query.before + query.after > 0,
    // Found below the real path, reported below the path as it was given.
    nameOf: (found) => nameOf(path + found.slice(root.length), input, ctx),
    isGrouped: input.grouped ?? false,
    isMarked: input.marked ?? false,
  });
  try {
    const engine = await engineFor(ctx);
    for await (const hits of engine(query, ctx.signal)) if (!reporter.add(hits)) break;
  } catch (error) {
    const { code, message } = toAppError(error);
    if (code !== "tool.input") throw error;
    const hint = "To search for the text as it is, put a \\ before each special character";
    return failedSearch(`${message}\n${hint}`, begin);
  }
  const { text, files, matches, more } = reporter.report();
  const wallTime = secondsSince(begin);
  const where = shortPath(path, ctx.cwd);
  const fields = { text, files, matches, more, wallTime, pattern: input.pattern, where };
  if (files === 0) return textResult(true, "No matches found", fields);
  const what = input.output === undefined || input.output === "content" ? "matching lines" : "files";
  const note = more ? `\n(the first ${limit} ${what}; narrow the pattern or the path for the rest)` : "";
  return textResult(true, text + note, fields);
}

function nameOf(path: string, { absolute }: GrepInput, { cwd }: RunContext): string {
  return absolute ? path : shortPath(path, cwd);
}

/** A policy that hides paths is kept by our own walker; ripgrep knows nothing of it. */
async function engineFor(ctx: RunContext): Promise<GrepEngine> {
  const { policy } = ctx;
  if (policy.mode === "restricted" && (policy.read !== "everything" || policy.deny.length > 0))
    return walkerGrep;
  const program = await findRipgrep(ctx);
  return program === undefined ? walkerGrep : ripgrep(program, ctx.env);
}

function queryOf(root: string, input: GrepInput, ctx: RunContext): GrepQuery {
  const showsLines = input.output === undefined || input.output === "content";
  const [included, excluded] = [matchersOf(input.glob), matchersOf(input.exclude)];
  const ofType = matchersOf(input.type === undefined ? undefined : globOfType(input.type));
  return {
    pattern: input.pattern,
    literal: input.literal ?? false,
    ignoreCase: input.ignoreCase ?? false,
    multiline: input.multiline ?? false,
    before: showsLines ? (input.before ?? input.context ?? 0) : 0,
    after: showsLines ? (input.after ?? input.context ?? 0) : 0,
    root,
    hides: hiddenBy(ctx.policy),
    includeIgnored: input.includeIgnored ?? false,
    accepts: (path) => {
      const name = relative(root, path);
      if (name === "") return true;
      const isMeant = (matchers: readonly Glob[]) => matchers.some((matcher) => matcher.match(name));
      const fits = [included, ofType].every((matchers) => matchers.length === 0 || isMeant(matchers));
      return fits && !isMeant(excluded);
    },
  };
}

function matchersOf(globs: string | readonly string[] = []): Glob[] {
  return [globs].flat().map((glob) => new Glob(globPattern(glob)));
}

function globPattern(glob: string): string {
  return glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`;
}
