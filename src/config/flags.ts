import { APPROVAL_POLICIES, SANDBOX_MODES } from "../protocol/settings.ts";
import type { OptionSpec, Parsed } from "../util/args.ts";
import { featureOverride } from "./features.ts";
import { type Override, parseOverride } from "./overrides.ts";
import { resolvePath } from "./paths.ts";

const LOCAL_PROVIDERS = ["ollama", "lmstudio"] as const;
/** As a provider: whichever local server runs. */
export const ANY_LOCAL_PROVIDER = "local";
const BYPASS = "dangerously-bypass-approvals-and-sandbox";

/** Options of every command that can start a turn: the interactive program, exec, resume and fork. */
export const RUN_OPTIONS = [
  {
    long: "config",
    short: "c",
    value: "key=value",
    repeatable: true,
    summary: "Set a configuration key for this run; the value is TOML, or else plain text",
  },
  { long: "enable", value: "FEATURE", repeatable: true, summary: "Same as -c features.FEATURE=true" },
  { long: "disable", value: "FEATURE", repeatable: true, summary: "Same as -c features.FEATURE=false" },
  { long: "model", short: "m", value: "MODEL", summary: "Model to use" },
  { long: "oss", summary: "Use a model served on this machine" },
  {
    long: "local-provider",
    value: "PROVIDER",
    values: LOCAL_PROVIDERS,
    summary: "Which local server to use with --oss",
  },
  {
    long: "chat-completions",
    summary: "Talk to the provider through its chat completions interface",
  },
  { long: "harness", value: "ID", summary: "Present tools and prompts in the form this harness uses" },
  { long: "profile", short: "p", value: "NAME", summary: "Add the settings of a profile" },
  {
    long: "sandbox",
    short: "s",
    value: "MODE",
    values: SANDBOX_MODES,
    summary: "What commands may touch",
  },
  {
    long: "ask-for-approval",
    short: "a",
    value: "POLICY",
    values: APPROVAL_POLICIES,
    summary: "When to ask before a command runs",
  },
  {
    long: "approve-for-me",
    hidden: true,
    aliases: ["not-so-yolo"],
    conflicts: ["sandbox", "ask-for-approval", BYPASS, "full-auto"],
    summary: "Let the automatic reviewer answer approval requests",
  },
  {
    long: "full-auto",
    conflicts: ["ask-for-approval", "sandbox", BYPASS],
    summary: "Never ask, and let commands write in the workspace only",
  },
  {
    long: BYPASS,
    aliases: ["yolo"],
    conflicts: ["ask-for-approval"],
    summary: "No sandbox and no questions; only for machines that are isolated already",
  },
  {
    long: "dangerously-bypass-hook-trust",
    hidden: true,
    summary: "Run hooks that were not reviewed",
  },
  { long: "cd", short: "C", value: "DIR", summary: "Working directory" },
  { long: "add-dir", value: "DIR", repeatable: true, summary: "Another directory that may be written to" },
  {
    long: "image",
    short: "i",
    value: "FILE",
    repeatable: true,
    variadic: true,
    summary: "Attach images to the prompt",
  },
  { long: "strict-config", summary: "Unknown configuration keys are errors" },
] as const satisfies readonly OptionSpec[];

/** Options of the interactive program beside `RUN_OPTIONS`. */
export const TUI_OPTIONS = [
  { long: "search", hidden: true, summary: "Let the model search the web" },
  { long: "no-alt-screen", summary: "Show the transcript and /diff in the scrollback" },
  { long: "no-color", summary: "No colours; NO_COLOR says the same" },
  { long: "plain", summary: "Lines only, for screen readers and simple terminals" },
] as const satisfies readonly OptionSpec[];

export type RunOption = (typeof RUN_OPTIONS)[number]["long"];

/**
 * The overrides that the options stand for, lowest first: `-c`, then `--enable` and `--disable`, then the others.
 * `cwd` is the absolute directory of the run (see `workingDirectory`); relative `--add-dir` paths start there.
 */
export function overridesFrom(parsed: Parsed<RunOption>, cwd: string): Override[] {
  return [
    ...withoutModelOfFile(parsed),
    ...parsed.values("config").map(parseOverride),
    ...parsed.values("enable").map((name) => featureOverride(name, true)),
    ...parsed.values("disable").map((name) => featureOverride(name, false)),
    ...localModel(parsed),
    ...plain(parsed, "model", ["model"]),
    ...plain(parsed, "harness", ["harness"]),
    ...permissions(parsed),
    ...flag(parsed, "chat-completions", ["force_chat_completions"], true),
    ...addedDirectories(parsed, cwd),
  ];
}

/** The directory named by `--cd`, absolute, or else `cwd`. Does not look whether it exists. */
export function workingDirectory(parsed: Parsed<"cd">, cwd: string, home: string | undefined): string {
  const directory = parsed.value("cd");
  return directory === undefined ? cwd : resolvePath(cwd, directory, home);
}

/** Files of `--image`: repeated, several after one option, or a list with commas. */
export function imageFiles(parsed: Parsed<"image">): string[] {
  return parsed.values("image").flatMap((list) => list.split(",").filter((file) => file !== ""));
}

/** A model named in a file belongs to another provider; the local one has its own default. One of `-c` is meant for this run. */
function withoutModelOfFile(parsed: Parsed<RunOption>): Override[] {
  const options = (["oss", "local-provider"] as const).filter((name) => parsed.has(name));
  return options.slice(0, 1).map((name) => ({ path: ["model"], option: `--${name}`, unset: true }));
}

function localModel(parsed: Parsed<RunOption>): Override[] {
  const provider = parsed.value("local-provider");
  if (!parsed.has("oss") && provider === undefined) return [];
  const option = parsed.has("oss") ? "--oss" : "--local-provider";
  return [
    provider === undefined
      ? { path: ["model_provider"], option, copyOf: ["oss_provider"], otherwise: ANY_LOCAL_PROVIDER }
      : { path: ["model_provider"], option: "--local-provider", set: provider },
  ];
}

function permissions(parsed: Parsed<RunOption>): Override[] {
  return [
    ...plain(parsed, "sandbox", ["sandbox_mode"]),
    ...plain(parsed, "ask-for-approval", ["approval_policy"]),
    ...flag(parsed, "approve-for-me", ["approvals_reviewer"], "auto_review"),
    ...flag(parsed, "approve-for-me", ["approval_policy"], "on-request"),
    ...flag(parsed, "approve-for-me", ["sandbox_mode"], "workspace-write"),
    ...flag(parsed, "full-auto", ["approval_policy"], "never"),
    ...flag(parsed, "full-auto", ["sandbox_mode"], "workspace-write"),
    ...flag(parsed, BYPASS, ["approval_policy"], "never"),
    ...flag(parsed, BYPASS, ["sandbox_mode"], "danger-full-access"),
  ];
}

function addedDirectories(parsed: Parsed<RunOption>, cwd: string): Override[] {
  const directories = parsed.values("add-dir").map((directory) => resolvePath(cwd, directory, undefined));
  if (directories.length === 0) return [];
  const path = ["sandbox_workspace_write", "writable_roots"];
  return [{ path, option: "--add-dir", append: directories }];
}

function plain(parsed: Parsed<RunOption>, name: RunOption, path: readonly string[]): Override[] {
  const value = parsed.value(name);
  return value === undefined ? [] : [{ path, option: `--${name}`, set: value }];
}

function flag(
  parsed: Parsed<RunOption>,
  name: RunOption,
  path: readonly string[],
  value: unknown,
): Override[] {
  return parsed.has(name) ? [{ path, option: `--${name}`, set: value }] : [];
}
