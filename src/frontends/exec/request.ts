import type { ReviewTarget } from "../../core/review.ts";
import { mergeParsed, type Parsed, parseArgs, usageError } from "../../util/args.ts";
import { AppError } from "../../util/errors.ts";
import { helpText } from "../../util/help.ts";
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
    default:
      return readReview(outer, inner.argv);
  }
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

function readReview(outer: Parsed<ExecOption>, argv: readonly string[]): ExecRequest | { help: string } {
  const parsed = parseArgs(REVIEW, argv);
  if (parsed.wantsHelp) return { help: helpText(REVIEW) };
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
  if (target && prompt !== undefined)
    throw usageError(REVIEW, "a prompt and a target can't be given together");
  if (!target && prompt === undefined) {
    throw new AppError("config", "Nothing to review was named", {
      hint: "use --uncommitted, --base BRANCH, --commit SHA, or say in a prompt what to review",
    });
  }
  return { options, prompt, thread: { kind: "new" }, review: target ?? "prompt" };
}
