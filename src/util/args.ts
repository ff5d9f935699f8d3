import { AppError } from "./errors.ts";
import { nearest } from "./nearest.ts";

/** One option of a command line, as data: the parser, the help text and shell completion read the same table. */
export type OptionSpec = {
  /** Without dashes; also the name under which the parsed value is found. */
  readonly long: string;
  readonly short?: string;
  /** Other long names, not shown in the help. */
  readonly aliases?: readonly string[];
  /** Placeholder such as `FILE`; present when the option takes a value. */
  readonly value?: string;
  /** The only values that are accepted. */
  readonly values?: readonly string[];
  /** May be given more than once; otherwise the last one counts. */
  readonly repeatable?: boolean;
  /** Takes every bare word that follows, `-` included, until an option or `--`. Implies repeatable. */
  readonly variadic?: boolean;
  /** Long names of options that can't stand beside this one. */
  readonly conflicts?: readonly string[];
  readonly hidden?: boolean;
  readonly summary: string;
};

/** A required positional has a plain placeholder, an optional one `[PROMPT]`, a repeated one ends in `...`. */
type PositionalSpec = { readonly name: string; readonly summary: string };
type SubcommandSpec = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly hidden?: boolean;
  readonly summary: string;
};

export type CommandSpec<O extends OptionSpec = OptionSpec> = {
  /** As typed, e.g. `interpreter exec`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly O[];
  readonly positionals?: readonly PositionalSpec[];
  /** Looked for in the first bare word; parsing stops there. */
  readonly subcommands?: readonly SubcommandSpec[];
  /** Everything from the first bare word on is somebody else's command line. */
  readonly passthrough?: boolean;
  /** Paragraphs below the option list. */
  readonly notes?: string;
};

/** What was found on a command line. Names are checked against the table by the compiler. */
export type Parsed<Name extends string = string> = {
  has(name: Name): boolean;
  /** The last value given. */
  value(name: Name): string | undefined;
  values(name: Name): readonly string[];
  readonly positionals: readonly string[];
  /** A subcommand and the words after it, not parsed yet. */
  readonly subcommand?: { name: string; argv: readonly string[] };
  readonly wantsHelp: boolean;
};

export const HELP_OPTION = { long: "help", short: "h", summary: "Print this help" } as const;

type Found = Map<string, string[]>;
type State = {
  spec: CommandSpec;
  argv: readonly string[];
  at: number;
  found: Found;
  positionals: string[];
  wantsHelp: boolean;
};

/** Reads `argv` by the table. Throws AppError "usage" whose message is ready to be printed after `error: `. */
export function parseArgs<const O extends OptionSpec>(
  spec: CommandSpec<O>,
  argv: readonly string[],
): Parsed<O["long"]> {
  const state: State = { spec, argv, at: 0, found: new Map(), positionals: [], wantsHelp: false };
  let subcommand: Parsed["subcommand"];
  while (state.at < argv.length) {
    const word = argv[state.at++] ?? "";
    if (word === "--") {
      state.positionals.push(...argv.slice(state.at));
      break;
    }
    if (isOption(word)) {
      readOption(state, word);
      continue;
    }
    const name = state.positionals.length === 0 ? subcommandNamed(spec, word) : undefined;
    if (name !== undefined) {
      subcommand = { name, argv: argv.slice(state.at) };
      break;
    }
    state.positionals.push(word);
    if (spec.passthrough) {
      state.positionals.push(...argv.slice(state.at));
      break;
    }
  }
  if (!state.wantsHelp) checkConflicts(state);
  if (!state.wantsHelp) checkPositionals(state, subcommand !== undefined);
  return parsed(state.found, state.positionals, state.wantsHelp, subcommand);
}

/** Options given before a subcommand and those after it; the later ones win, repeatable ones add up. */
export function mergeParsed<A extends string, B extends string>(
  before: Parsed<A>,
  after: Parsed<B>,
  names: readonly (A & B)[],
): Parsed<B> {
  return {
    ...after,
    has: (name) => after.has(name) || names.some((known) => known === name && before.has(known)),
    value: (name) => after.value(name) ?? valuesBefore(name).at(-1),
    values: (name) => [...valuesBefore(name), ...after.values(name)],
    wantsHelp: before.wantsHelp || after.wantsHelp,
  };
  function valuesBefore(name: B): readonly string[] {
    return names.flatMap((known) => (known === name ? before.values(known) : []));
  }
}

function parsed(
  found: Found,
  positionals: readonly string[],
  wantsHelp: boolean,
  subcommand: Parsed["subcommand"],
): Parsed {
  return {
    has: (name) => found.has(name),
    value: (name) => found.get(name)?.at(-1),
    values: (name) => found.get(name) ?? [],
    positionals,
    wantsHelp,
    ...(subcommand === undefined ? {} : { subcommand }),
  };
}

function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

function readOption(state: State, word: string): void {
  if (!word.startsWith("--")) {
    readShort(state, word);
    return;
  }
  const equals = word.indexOf("=");
  const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
  if (name === "help" && equals < 0) {
    state.wantsHelp = true;
    return;
  }
  const option = state.spec.options.find(({ long, aliases }) => long === name || aliases?.includes(name));
  if (option === undefined) throw unexpectedArgument(state.spec, equals < 0 ? word : word.slice(0, equals));
  const attached = equals < 0 ? undefined : word.slice(equals + 1);
  if (option.value === undefined && attached !== undefined) {
    const message = `unexpected value '${attached}' for '--${name}' found; no more were expected`;
    throw usageError(state.spec, message);
  }
  record(state, option, attached);
}

/** `-abc`, `-ovalue`, `-o=value`, `-o value`. */
function readShort(state: State, word: string): void {
  for (let i = 1; i < word.length; i++) {
    const letter = word[i];
    if (letter === "h" && !state.spec.options.some(({ short }) => short === "h")) {
      state.wantsHelp = true;
      continue;
    }
    const option = state.spec.options.find(({ short }) => short === letter);
    if (option === undefined) throw unexpectedArgument(state.spec, i === 1 ? word : `-${letter}`);
    if (option.value === undefined) {
      record(state, option, undefined);
      continue;
    }
    const rest = word.slice(i + 1);
    record(state, option, rest === "" ? undefined : rest.replace(/^=/, ""));
    return;
  }
}

function record(state: State, option: OptionSpec, attached: string | undefined): void {
  const values = state.found.get(option.long) ?? [];
  state.found.set(option.long, values);
  if (option.value === undefined) return;
  if (attached !== undefined) {
    values.push(accepted(state.spec, option, attached));
    return;
  }
  const first = values.length;
  do {
    const word = state.argv[state.at];
    if (word === undefined || isOption(word)) break;
    values.push(accepted(state.spec, option, word));
    state.at++;
  } while (option.variadic);
  if (values.length === first) {
    const message = `a value is required for '${shown(option)}' but none was supplied`;
    throw usageError(state.spec, `${message}${possible(option)}`);
  }
}

function accepted(spec: CommandSpec, option: OptionSpec, value: string): string {
  // A script's variable that is not set, most likely.
  if (value === "" && !option.repeatable)
    throw usageError(spec, `a value is required for '${shown(option)}' but an empty one was given`);
  if (option.values === undefined || option.values.includes(value)) return value;
  const tip = similar(value, option.values, (near) => `a similar value exists: '${near}'`);
  throw usageError(spec, `invalid value '${value}' for '${shown(option)}'${possible(option)}${tip}`);
}

function checkConflicts({ spec, found }: State): void {
  for (const option of spec.options) {
    if (!found.has(option.long)) continue;
    const other = spec.options.find(({ long }) => found.has(long) && option.conflicts?.includes(long));
    if (other === undefined) continue;
    throw usageError(spec, `the argument '${shown(option)}' cannot be used with '${shown(other)}'`);
  }
}

function checkPositionals({ spec, positionals }: State, hasSubcommand: boolean): void {
  if (spec.passthrough) return;
  const known = spec.positionals ?? [];
  const [first] = positionals;
  if (first !== undefined && known.length === 0 && spec.subcommands)
    throw unknownSubcommand(
      spec,
      first,
      spec.subcommands.map(({ name }) => name),
    );
  const many = known.some(({ name }) => name.includes("..."));
  if (positionals.length > known.length && !many) {
    const extra = positionals[known.length] ?? "";
    throw unexpectedArgument(spec, extra);
  }
  if (hasSubcommand) return;
  const missing = known.slice(positionals.length).filter(({ name }) => !name.startsWith("["));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => `  <${name}>`).join("\n");
  throw usageError(spec, `the following required arguments were not provided:\n${names}`);
}

function unexpectedArgument(spec: CommandSpec, word: string): AppError {
  const names = spec.options.filter(({ hidden }) => !hidden).map(({ long }) => long);
  const tip = word.startsWith("--")
    ? similar(word.slice(2), [...names, HELP_OPTION.long], (near) => `a similar argument exists: '--${near}'`)
    : "";
  const mayBeValue = word.startsWith("-") && tip === "" && (spec.positionals?.length ?? 0) > 0;
  const advice = mayBeValue ? `\n\n  tip: to pass '${word}' as a value, use '-- ${word}'` : "";
  return usageError(spec, `unexpected argument '${word}' found${tip}${advice}`);
}

/** A word that has to be one of these subcommands, and is none. */
export function unknownSubcommand(spec: CommandSpec, word: string, names: readonly string[]): AppError {
  const tip = similar(word, names, (near) => `a similar subcommand exists: '${near}'`);
  return usageError(spec, `unrecognized subcommand '${word}'${tip}`);
}

/** A word in the place of the positional `name` that has to be one of `values`, and is none. */
export function unknownWord(
  spec: CommandSpec,
  name: string,
  word: string,
  values: readonly string[],
): AppError {
  const tip = similar(word, values, (near) => `a similar value exists: '${near}'`);
  return usageError(
    spec,
    `invalid value '${word}' for '${name}'\n  [possible values: ${values.join(", ")}]${tip}`,
  );
}

/** A wrong command line: `message`, the usage line and where to find more, ready to be printed. */
export function usageError(spec: CommandSpec, message: string): AppError {
  const usage = usageLine(spec);
  return new AppError("usage", message, {
    hint: `\nUsage: ${usage}\n\nFor more information, try '--help'.`,
  });
}

/** For example `interpreter exec [OPTIONS] [PROMPT]`. */
export function usageLine(spec: CommandSpec): string {
  const positionals = (spec.positionals ?? []).map(({ name }) => (name.startsWith("[") ? name : `<${name}>`));
  const command = spec.subcommands && positionals.length === 0 ? ["[COMMAND]"] : [];
  return [spec.name, "[OPTIONS]", ...positionals, ...command].join(" ");
}

/** The option as people write it: `--model <MODEL>`. */
function shown({ long, value, variadic }: OptionSpec): string {
  return value === undefined ? `--${long}` : `--${long} <${value}>${variadic ? "..." : ""}`;
}

function possible({ values }: OptionSpec): string {
  return values === undefined ? "" : `\n  [possible values: ${values.join(", ")}]`;
}

function similar(word: string, candidates: readonly string[], tip: (near: string) => string): string {
  const near = nearest(word, candidates, 3);
  return near === undefined ? "" : `\n\n  tip: ${tip(near)}`;
}

function subcommandNamed(spec: CommandSpec, word: string): string | undefined {
  return spec.subcommands?.find(({ name, aliases }) => name === word || aliases?.includes(word))?.name;
}
