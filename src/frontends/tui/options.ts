import { RUN_OPTIONS, TUI_OPTIONS } from "../../config/flags.ts";
import type { ThreadChoice } from "../../core/session/thread.ts";
import { type CommandSpec, type OptionSpec, type Parsed, parseArgs } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";

const OPTIONS = [...RUN_OPTIONS, ...TUI_OPTIONS] as const satisfies readonly OptionSpec[];
export type TuiOption = (typeof OPTIONS)[number]["long"];

const PROMPT = { name: "[PROMPT]", summary: "First message of the conversation" } as const;
const SESSION = { name: "[SESSION_ID]", summary: "Id or name of the session; a list without it" } as const;
const LAST = [
  { long: "last", summary: "The newest session of this directory" },
  { long: "all", summary: "Sessions of every directory" },
] as const;

export const TUI = {
  name: "interpreter",
  summary: "Talks to the agent in the terminal.",
  options: OPTIONS,
  positionals: [PROMPT],
} as const satisfies CommandSpec;

export const RESUME = {
  name: "interpreter resume",
  summary: "Continues an earlier session.",
  options: [...OPTIONS, ...LAST],
  positionals: [SESSION, PROMPT],
} as const satisfies CommandSpec;

export const FORK = {
  name: "interpreter fork",
  summary: "Continues a copy of an earlier session.",
  options: [...OPTIONS, ...LAST],
  positionals: [SESSION, PROMPT],
} as const satisfies CommandSpec;

/** What a command line asks for. `pick`: the user chooses the session. */
export type TuiRequest = {
  options: Parsed<TuiOption>;
  thread: ThreadChoice | { kind: "pick"; purpose: "resume" | "fork"; all: boolean };
  prompt: string | undefined;
};

/** Reads the command line; a text is help to be printed. Throws AppError "usage". */
export function readRequest(
  start: "new" | "resume" | "fork",
  argv: readonly string[],
): TuiRequest | { help: string } {
  if (start === "new") {
    const options = parseArgs(TUI, argv);
    if (options.wantsHelp) return { help: helpText(TUI) };
    return { options, thread: { kind: "new" }, prompt: options.positionals[0] };
  }
  const spec = start === "resume" ? RESUME : FORK;
  const parsed = parseArgs(spec, argv);
  if (parsed.wantsHelp) return { help: helpText(spec) };
  const [first, second] = parsed.positionals;
  const options: Parsed<TuiOption> = parsed;
  const all = parsed.has("all");
  if (parsed.has("last")) {
    return { options, thread: { kind: "last", all }, prompt: first };
  }
  if (first === undefined)
    return { options, thread: { kind: "pick", purpose: start, all }, prompt: undefined };
  return { options, thread: { kind: start, id: first }, prompt: second };
}
