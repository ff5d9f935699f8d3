import { z } from "zod";
import { shellQuote } from "../util/shell-quote.ts";
import { defineTool } from "./define.ts";
import { shellCommand } from "./shell-command.ts";

const GitInput = z.looseObject({
  command: z.enum(["status", "diff"]),
  path: z.string().optional(),
  /** What is staged, in place of what is not. */
  cached: z.boolean().optional(),
  /** Unchanged lines around a change. */
  unified: z.number().int().optional(),
});
type GitInput = z.infer<typeof GitInput>;

const TIMEOUT_MS = 30_000;

/** Native "git": the state of the repository, or its changes. Runs as any command: a repository may name programs. */
export const git = defineTool<GitInput>({
  name: "git",
  schema: GitInput,
  parallel: true,
  prepare: (input, ctx) =>
    shellCommand.prepare({ command: shellQuote(argvOf(input)), timeoutMs: TIMEOUT_MS, login: false }, ctx),
});

function argvOf({ command, path, cached, unified }: GitInput): string[] {
  const options =
    command === "status"
      ? ["--short", "--branch"]
      : [
          "--no-color",
          ...(cached ? ["--cached"] : []),
          ...(unified === undefined ? [] : [`--unified=${unified}`]),
        ];
  return ["git", "--no-pager", command, ...options, ...(path ? ["--", path] : [])];
}
