import { RUN_OPTIONS } from "../../config/flags.ts";
import type { CommandSpec, OptionSpec } from "../../util/args.ts";

const EXEC_OPTIONS = [
  ...RUN_OPTIONS,
  { long: "json", aliases: ["experimental-json"], summary: "Print events to stdout as JSON lines" },
  {
    long: "output-last-message",
    short: "o",
    value: "FILE",
    summary: "Write the final answer to a file",
  },
  { long: "output-schema", value: "FILE", summary: "JSON Schema that the final answer has to follow" },
  {
    long: "color",
    value: "WHEN",
    values: ["always", "never", "auto"],
    summary: "Colours of the progress on stderr",
  },
  { long: "skip-git-repo-check", summary: "Run outside a Git repository" },
  { long: "ephemeral", summary: "Save no session file" },
  { long: "verify", summary: "Let the model check its work once more before the run ends" },
  {
    long: "timeout",
    value: "SECONDS",
    summary: "Stop after this time; the model is told how much is left",
  },
  { long: "max-turns", value: "N", summary: "Stop after so many model requests" },
  { long: "max-tokens", value: "N", summary: "Stop after so many tokens, sent and written" },
  { long: "max-cost", value: "AMOUNT", summary: "Stop at this cost; needs model_prices in config.toml" },
  { long: "demo", summary: "Repair a small sample repository with a recorded model; needs no network" },
  { long: "ignore-user-config", summary: "Ignore config.toml of the home folder" },
  { long: "ignore-rules", hidden: true, summary: "Ignore rules files" },
  { long: "thread-source", value: "NAME", hidden: true, summary: "Where the thread comes from" },
  { long: "cyber-access-program", value: "NAME", hidden: true, summary: "Accepted for compatibility" },
] as const satisfies readonly OptionSpec[];

export type ExecOption = (typeof EXEC_OPTIONS)[number]["long"];
export const EXEC_OPTION_NAMES: readonly ExecOption[] = EXEC_OPTIONS.map(({ long }) => long);

export const EXEC = {
  name: "interpreter exec",
  summary: "Runs one task without a user interface.",
  options: EXEC_OPTIONS,
  positionals: [{ name: "[PROMPT]", summary: "The task; read from stdin when absent or `-`" }],
  subcommands: [
    { name: "resume", summary: "Continue an earlier session" },
    { name: "fork", summary: "Continue a copy of an earlier session" },
    { name: "review", summary: "Review a change" },
    { name: "help", summary: "Print the help of a command" },
  ],
  notes:
    "The answer goes to stdout, progress to stderr. Exit code 0: done; 1: failed; 2: wrong command line; 3: budget used up.",
} as const satisfies CommandSpec;

const LAST = { long: "last", summary: "The newest session of this directory" } as const;
const ALL = { long: "all", summary: "With --last: of every directory" } as const;

export const RESUME = {
  name: "interpreter exec resume",
  summary: "Continues an earlier session.",
  options: [...EXEC_OPTIONS, LAST, ALL],
  positionals: [
    { name: "[SESSION_ID]", summary: "Id or name of the session; not with --last" },
    { name: "[PROMPT]", summary: "The task; read from stdin when absent or `-`" },
  ],
} as const satisfies CommandSpec;

export const FORK = {
  name: "interpreter exec fork",
  summary: "Continues a copy of an earlier session.",
  options: EXEC_OPTIONS,
  positionals: [
    { name: "SESSION_ID", summary: "Id or name of the session" },
    { name: "[PROMPT]", summary: "The task; read from stdin when absent or `-`" },
  ],
} as const satisfies CommandSpec;

const TARGETS = ["uncommitted", "base", "commit"] as const;

export const REVIEW = {
  name: "interpreter exec review",
  summary: "Reviews a change and prints the findings.",
  options: [
    ...EXEC_OPTIONS,
    {
      long: "uncommitted",
      conflicts: ["base", "commit"],
      summary: "Review staged, unstaged and untracked changes",
    },
    { long: "base", value: "BRANCH", conflicts: ["commit"], summary: "Review the changes against a branch" },
    { long: "commit", value: "SHA", summary: "Review one commit" },
    { long: "title", value: "TITLE", summary: "Title of the commit" },
  ],
  positionals: [{ name: "[PROMPT]", summary: "What to review, in your own words; `-` reads stdin" }],
  notes: `One of ${TARGETS.map((name) => `--${name}`).join(", ")} or a prompt is needed.`,
} as const satisfies CommandSpec;
