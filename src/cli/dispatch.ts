import { nearest } from "../util/nearest.ts";
import { RUN_AS_APPLY_PATCH } from "../util/package.ts";
import { type ProgramName, programNamed, subcommandNames } from "./names.ts";

export type Choice =
  | { kind: "version" }
  | { kind: "program"; program: ProgramName; argv: readonly string[] }
  /** Options stand in front; only the option table tells where a subcommand begins. */
  | { kind: "options_first"; argv: readonly string[] }
  /** A single word that is nearly a subcommand: no prompt, but a slip of the finger. */
  | { kind: "mistyped"; word: string; meant: string };

/** Chooses by the name that the executable was called by, then by the first argument. */
export function choose(argv0: string, argv: readonly string[]): Choice {
  const named = programCalled(argv0);
  if (named !== undefined) return { kind: "program", program: named, argv };
  const [first, ...rest] = argv;
  if (first === RUN_AS_APPLY_PATCH) return { kind: "program", program: "apply-patch", argv: rest };
  if (first === undefined) return { kind: "program", program: "tui", argv: [] };
  if (first === "--version" || first === "-V") return { kind: "version" };
  if (first === "--help" || first === "-h") return { kind: "program", program: "help", argv: [] };
  if (first.startsWith("-")) return { kind: "options_first", argv };
  return chooseSubcommand(argv) ?? { kind: "program", program: "tui", argv };
}

/** The program that `argv` begins with; undefined when it begins with an option or a prompt. */
export function chooseSubcommand(argv: readonly string[]): Choice | undefined {
  const [first = "", ...rest] = argv;
  const program = programNamed(first);
  if (program !== undefined) return { kind: "program", program, argv: rest };
  const meant =
    rest.length === 0 && /^[a-z][a-z-]+$/.test(first) ? nearest(first, subcommandNames()) : undefined;
  return meant === undefined ? undefined : { kind: "mistyped", word: first, meant };
}

function programCalled(argv0: string): ProgramName | undefined {
  // Without a regular expression: the first one of a process costs a millisecond, and --version needs no other.
  const name = argv0.slice(Math.max(argv0.lastIndexOf("/"), argv0.lastIndexOf("\\")) + 1);
  switch (name.toLowerCase().endsWith(".exe") ? name.slice(0, -".exe".length) : name) {
    case "apply_patch":
    case "applypatch":
      return "apply-patch";
    case "interpreter-exec":
      return "exec";
    case "interpreter-acp":
      return "acp";
    case "interpreter-linux-sandbox":
      return "linux-sandbox";
    default:
      return undefined;
  }
}
