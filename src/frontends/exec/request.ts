import type { ReviewTarget } from "../../core/tasks/review.ts";
import { mergeParsed, type Parsed, parseArgs, unknownSubcommand, usageError } from "../../util/args.ts";
import { AppError } from "../../util/errors.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { EXEC, EXEC_OPTION_NAMES, type ExecOption, FORK, RESUME, REVIEW } from "./options.ts";

/** What a command line of exec asks for. */
export type ExecRequest = {
  options: Parsed<ExecOption>;
  /** The prompt as given; undefined: read standard input. */
  prompt?: string;
  thread:
    | { kind: "new" }
    | { kind: "resume"; id: string }
    | { kind: "last"; all: boolean }
    | { kind: "fork"; id: string };
  /** Present for a review; the target is unknown until the prompt has been read. */
  review?: ReviewTarget | "prompt";
};

/** Reads the command line; a text is help to be printed. Throws AppError "usage". */
export function readRequest(argv: readonly string[]): ExecRequest | { help: string } {
  const outer = parseArgs(EXEC, argv);
  const inner = outer.subcommand;
  if (outer.wantsHelp) return { help: helpText(EXEC) };
  if (!inner) return { options: outer, prompt: outer.positionals[0], thread: { kind: "new" } };
  switch (inner.name) {
    case "resume":
      return readResume(outer, inner.argv);
    case "fork":
      return readFork(outer, inner.argv);
    case "help":
      return readHelp(inner.argv);
    default:
      return readReview(outer, inner.argv, REVIEW);
  }
}

/** The command line of a review that has a name of its own. */
export function readReviewRequest(argv: readonly string[]): ExecRequest | { help: string } {
  return readReview(parseArgs(EXEC, []), argv, { ...REVIEW, name: `${NAME} review` });
}

const HELP_TOPICS = { resume: RESUME, fork: FORK, review: REVIEW, help: EXEC } as const;

function readHelp([word = "help"]: readonly string[]): { help: string } {
  const topic = Object.entries(HELP_TOPICS).find(([name]) => name === word)?.[1];
  if (topic === undefined) throw unknownSubcommand(EXEC, word, Object.keys(HELP_TOPICS));
  return { help: helpText(topic) };
}

function readResume(outer: Parsed<ExecOption>, argv: readonly string[]): ExecRequest | { help: string } {
  const parsed = parseArgs(RESUME, argv);
  if (parsed.wantsHelp) return { help: helpText(RESUME) };
  const options = mergeParsed(outer, parsed, EXEC_OPTION_NAMES);
  const [first, second] = parsed.positionals;
  if (parsed.has("last")) {
    if (second !== undefined) throw usageError(RESUME, "with --last, only a prompt is expected");
    return { options, prompt: first, thread: { kind: "last", all: parsed.has("all") } };
  }
  if (first === undefined) throw usageError(RESUME, "a session id or --last is needed");
  return { options, prompt: second, thread: { kind: "resume", id: first } };
}

function readFork(outer: Parsed<ExecOption>, argv: readonly string[]): ExecRequest | { help: string } {
  const parsed = parseArgs(FORK, argv);
  if (parsed.wantsHelp) return { help: helpText(FORK) };
  const [id = "", prompt] = parsed.positionals;
  return { options: mergeParsed(outer, parsed, EXEC_OPTION_NAMES), prompt, thread: { kind: "fork", id } };
}

function readReview(
  outer: Parsed<ExecOption>,
  argv: readonly string[],
  spec: Omit<typeof REVIEW, "name"> & { name: string },
): ExecRequest | { help: string } {
  const parsed = parseArgs(spec, argv);
  if (parsed.wantsHelp) return { help: helpText(spec) };
  const options = mergeParsed(outer, parsed, EXEC_OPTION_NAMES);
  const prompt = parsed.positionals[0];
  const base = parsed.value("base");
  const sha = parsed.value("commit");
  const title = parsed.value("title");
  const target: ReviewTarget | undefined = parsed.has("uncommitted")
    ? { kind: "uncommitted" }
    : base !== undefined
      ? { kind: "base", branch: base }
      : sha !== undefined
        ? { kind: "commit", sha, ...(title === undefined ? {} : { title }) }
        : undefined;
  if (target && prompt !== undefined) throw usageError(spec, "a prompt and a target can't be given together");
  if (!target && prompt === undefined) {
    throw new AppError("config", "Nothing to review was named", {
      hint: "use --uncommitted, --base BRANCH, --commit SHA, or say in a prompt what to review",
    });
  }
  return { options, prompt, thread: { kind: "new" }, review: target ?? "prompt" };
}
