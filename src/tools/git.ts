import { z } from "zod";
import { shellQuote } from "../util/shell-quote.ts";
import { defineTool } from "./define.ts";
import { refused } from "./results.ts";
import { shellCommand } from "./shell-command.ts";

const GitInput = z.looseObject({
  command: z.enum(["status", "diff", "log", "show", "blame"]),
  path: z.string().optional(),
  rev: z.string().optional(),
  /** diff: what is staged, in place of what is not. */
  cached: z.boolean().optional(),
  /** diff, show: unchanged lines around a change. */
  unified: z.number().int().optional(),
  /** show: the changes themselves, and how many there are in each file; both unless set to false. */
  patch: z.boolean().optional(),
  stat: z.boolean().optional(),
  /** log */
  maxCount: z.number().int().optional(),
  author: z.string().optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  /** blame */
  startLine: z.number().int().optional(),
  maxLines: z.number().int().optional(),
  porcelain: z.boolean().optional(),
});
type GitInput = z.infer<typeof GitInput>;

const TIMEOUT_MS = 30_000;
const USUAL_COMMITS = 20;
const USUAL_LINES = 200;

/** Native "git": looks at a repository. Runs as any command, because a repository may name programs that git starts. */
export const git = defineTool<GitInput>({
  name: "git",
  schema: GitInput,
  parallel: true,
  async prepare(input, ctx) {
    const { rev } = input;
    // Git would take it for an option, of which some write files.
    if (rev?.startsWith("-")) return refused(`wanted a commit, found "${rev}"`);
    const words = ["git", "--no-pager", input.command, ...optionsOf(input)];
    const places = [...(rev ? [rev] : []), "--", ...(input.path ? [input.path] : [])];
    const command = shellQuote([...words, ...places]);
    return shellCommand.prepare({ command, timeoutMs: TIMEOUT_MS, login: false }, ctx);
  },
});

function optionsOf(input: GitInput): string[] {
  const { command, cached, unified, patch = true, stat = true } = input;
  const around = unified === undefined ? [] : [`--unified=${unified}`];
  switch (command) {
    case "status":
      return ["--short", "--branch"];
    case "diff":
      return ["--no-color", ...(cached ? ["--cached"] : []), ...around];
    case "log":
      return ["--no-color", "--oneline", "--decorate", ...filtersOf(input)];
    case "show":
      return [
        "--no-color",
        ...(stat ? ["--stat"] : []),
        ...(patch ? ["--patch", ...around] : ["--no-patch"]),
      ];
    case "blame":
      return blameOptions(input);
  }
}

function filtersOf({ maxCount = USUAL_COMMITS, author, since, until }: GitInput): string[] {
  return [
    `--max-count=${maxCount}`,
    ...(author ? [`--author=${author}`] : []),
    ...(since ? [`--since=${since}`] : []),
    ...(until ? [`--until=${until}`] : []),
  ];
}

function blameOptions({ startLine = 1, maxLines = USUAL_LINES, porcelain }: GitInput): string[] {
  return [...(porcelain ? ["--porcelain"] : []), "-L", `${startLine},+${maxLines}`];
}
