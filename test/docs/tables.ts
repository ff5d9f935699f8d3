import { EXEC } from "../../src/frontends/exec/options.ts";
import { COMMANDS, PLAIN_COMMANDS } from "../../src/frontends/tui/commands/table.ts";
import { type Bindings, keymapWith } from "../../src/frontends/tui/input/keymap.ts";
import { RESUME } from "../../src/frontends/tui/options.ts";
import { HARNESS_FLAGS } from "../../src/harness/flags.ts";
import { variableNames } from "../../src/harness/vars.ts";
import { catalogEntry, catalogIds } from "../../src/providers/catalog.ts";
import type { OptionSpec } from "../../src/util/args.ts";

export type DocTable = { page: string; name: string; table(): string };

/** The tables of docs/ that the code knows better; each stands between `<!-- name -->` and `<!-- end -->`. */
export const TABLES: readonly DocTable[] = [
  { page: "exec.md", name: "exec options", table: () => optionTable(EXEC.options) },
  { page: "tui.md", name: "tui options", table: () => optionTable(RESUME.options) },
  { page: "tui.md", name: "commands", table: () => commandTable(COMMANDS) },
  { page: "tui.md", name: "drawn commands", table: drawnCommands },
  { page: "tui.md", name: "actions", table: actions },
  { page: "models.md", name: "providers", table: providers },
  { page: "harnesses.md", name: "template names", table: templateNames },
];

/** The page with its table as it should be. */
export function withTable(page: string, { name, table }: DocTable): string {
  const [start, end] = [`<!-- ${name} -->`, "<!-- end -->"];
  const from = page.indexOf(start);
  if (from < 0) throw new Error(`${start} is missing`);
  const to = page.indexOf(end, from);
  return `${page.slice(0, from)}${start}\n${table()}${end}${to < 0 ? "\n" : page.slice(to + end.length)}`;
}

function optionTable(options: readonly OptionSpec[]): string {
  const rows = options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, value, summary }) => {
      const name = `${short ? `-${short}, ` : ""}--${long}${value ? ` ${value}` : ""}`;
      return [`\`${name}\``, summary];
    });
  return markdown(["Option", "Meaning"], rows);
}

type Command = {
  name: string;
  aliases?: readonly string[];
  about: string;
  isIdleOnly: boolean;
};

function commandTable(commands: readonly Command[]): string {
  const rows = commands.map(({ name, aliases = [], about, isIdleOnly }) => [
    [name, ...aliases].map((one) => `\`/${one}\``).join(", "),
    `${about}${isIdleOnly ? "; not while a turn runs" : ""}`,
  ]);
  return markdown(["Command", "Does"], rows);
}

function drawnCommands(): string {
  const drawn = COMMANDS.filter((command) => !PLAIN_COMMANDS.includes(command));
  return `${drawn.map(({ name }) => `\`/${name}\``).join(", ")}\n`;
}

function actions(): string {
  const rows = Object.entries(keymapWith(undefined)).flatMap(([context, known]: [string, Bindings<string>]) =>
    known.map(([action, keys]) => [`\`${context}.${action}\``, keys.map((key) => `\`${key}\``).join(", ")]),
  );
  return markdown(["Name", "Keys"], rows);
}

function providers(): string {
  const rows = catalogIds().map((id) => {
    const entry = catalogEntry(id);
    const wire = entry?.wire ? ` (${entry.wire})` : "";
    return [`\`${id}\``, `${entry?.name}${wire}`, code(entry?.key), code(entry?.model)];
  });
  return markdown(["Id", "Name", "Key", "Default model"], rows);
}

function templateNames(): string {
  const flags: readonly string[] = HARNESS_FLAGS;
  const names = variableNames().map((name) => [
    `\`${name}\``,
    MEANINGS[name] ?? (flags.includes(name) ? "a flag" : "?"),
  ]);
  return markdown(["Name", "Value"], names);
}

const MEANINGS: Readonly<Record<string, string>> = {
  arch: "the processor, e.g. `x64`",
  contextWindow: "the model's window in tokens",
  cwd: "the working folder",
  cwdDashed: "the same with `-` for whatever is neither a letter nor a digit",
  date: "the day, e.g. 2026-01-31",
  dateFull: "e.g. Saturday, January 31, 2026",
  dateLong: "e.g. January 31, 2026",
  dateNumbers: "e.g. 1/31/2026",
  dateShort: "e.g. Sat Jan 31 2026",
  deferredTools: "names of the tools that are kept back, one a line",
  skills: "the skills that there are, one a line with what it is for",
  agents: "flag: the tools for agents are offered (`features.multi_agent`)",
  questions: "flag: a person can answer questions of the model",
  effort: "how hard the model is to think, e.g. `low`; empty when nobody said so",
  folderListing: "what is in the working folder: up to 20 entries, hidden ones left out",
  folderTree: "the same two levels deep: up to 30 entries, and 10 of each folder",
  gitBranch: "the branch",
  gitChanges:
    "what is not committed, one file a line, or `(clean)`; empty when the project is not trusted, like the three below",
  gitCommits: "the last commits, one a line",
  gitMainBranch: "the main branch of the remote `origin`",
  gitUser: "the name that commits are made with",
  gitStatus: "branch, changes and last commits; only the branch when the project is not trusted",
  projectInstructions: "the text of AGENTS.md files",
  sessionId: "the session's id",
  isGitRepository: "whether the working folder is in a Git repository",
  maxOutput: "the most tokens of an answer, if known",
  model: "the model's id",
  os: "`Linux`, `macOS` or `Windows`",
  osVersion: "its version",
  shell: "the shell that runs commands",
  timezone: "e.g. `Europe/Berlin`",
  version: "the version of interpreter",
  unified_exec: "flag: commands may run on in the background (`features.unified_exec`)",
  freeform_patch: "flag: the model was trained with a free-form `apply_patch`",
  update_plan: "flag: the plan tool is on (`tools.update_plan.enabled`)",
  images: "flag: the model can look at images",
};

function code(text: string | undefined): string {
  return text ? `\`${text}\`` : "";
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}
