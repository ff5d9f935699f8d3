import { HELP_OPTION, type OptionSpec } from "../util/args.ts";
import { NAME } from "../util/package.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];
/** The executable itself has the empty name; its options complete before a subcommand is given. */
export type CompletedCommand = { name: string; summary: string; options: readonly OptionSpec[] };

export function isShell(word: string): word is Shell {
  return SHELLS.some((shell) => shell === word);
}

/** A script that completes subcommands, options and the values of options that have a fixed set. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      // zsh understands the functions of bash after this one line.
      return `#compdef ${NAME} i\nautoload -Uz bashcompinit && bashcompinit\n${bash(commands)}`;
    case "fish":
      return fish(commands);
    case "powershell":
      return powershell(commands);
  }
}

function bash(commands: readonly CompletedCommand[]): string {
  const names = subcommands(commands).map(({ name }) => name);
  const cases = commands.map(
    ({ name, options }) => `    ${name || '""'}) words="${optionWords(options).join(" ")}" ;;`,
  );
  return `_${NAME}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in ${names.join("|")}) command="$word"; break ;; esac
  done
  case "$previous" in
${valueCases(commands)}
  esac
  case "$command" in
${cases.join("\n")}
  esac
  [[ -z "$command" ]] && words="$words ${names.join(" ")}"
  COMPREPLY=( $(compgen -W "$words" -- "$current") )
}
complete -o default -F _${NAME} ${NAME} i
`;
}

function valueCases(commands: readonly CompletedCommand[]): string {
  const lines = withValues(commands).map(({ option, values }) => {
    const names = [`--${option.long}`, ...(option.short === undefined ? [] : [`-${option.short}`])];
    return `    ${names.join("|")}) COMPREPLY=( $(compgen -W "${values.join(" ")}" -- "$current") ); return ;;`;
  });
  return lines.join("\n");
}

function fish(commands: readonly CompletedCommand[]): string {
  const names = subcommands(commands).map(({ name }) => name);
  const noCommand = `__${NAME}_no_command`;
  const lines = [`function ${noCommand}; not __fish_seen_subcommand_from ${names.join(" ")}; end`];
  for (const { name, summary } of subcommands(commands)) {
    lines.push(`complete -c ${NAME} -f -n ${noCommand} -a ${name} -d ${quote(summary)}`);
  }
  for (const { name, options } of commands) {
    const condition = name === "" ? noCommand : quote(`__fish_seen_subcommand_from ${name}`);
    lines.push(...shownOptions(options).map((option) => fishOption(condition, option)));
  }
  return `${lines.join("\n")}\ncomplete -c i -w ${NAME}\n`;
}

function fishOption(condition: string, { long, short, value, values, summary }: OptionSpec): string {
  const parts = [`complete -c ${NAME} -n ${condition} -l ${long}`];
  if (short !== undefined) parts.push(`-s ${short}`);
  if (value !== undefined) parts.push("-r");
  if (values !== undefined) parts.push(`-f -a ${quote(values.join(" "))}`);
  return `${parts.join(" ")} -d ${quote(summary)}`;
}

function powershell(commands: readonly CompletedCommand[]): string {
  const names = subcommands(commands).map(({ name }) => quote(name));
  const table = commands.map(
    ({ name, options }) => `    ${quote(name)} = @(${optionWords(options).map(quote).join(", ")})`,
  );
  return `Register-ArgumentCompleter -Native -CommandName '${NAME}', 'i' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $names = @(${names.join(", ")})
  $options = @{
${table.join("\n")}
  }
  $before = $commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() }
  $command = @($before | Where-Object { $names -contains $_ })[0]
  $words = if ($command) { $options[$command] } else { $options[''] + $names }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function subcommands(commands: readonly CompletedCommand[]): readonly CompletedCommand[] {
  return commands.filter(({ name }) => name !== "");
}

/** Options with a fixed set of values, each once. */
function withValues(
  commands: readonly CompletedCommand[],
): { option: OptionSpec; values: readonly string[] }[] {
  const found = new Map<string, { option: OptionSpec; values: readonly string[] }>();
  for (const option of commands.flatMap(({ options }) => shownOptions(options))) {
    if (option.values !== undefined) found.set(option.long, { option, values: option.values });
  }
  return [...found.values()];
}

function optionWords(options: readonly OptionSpec[]): string[] {
  return shownOptions(options).map(({ long }) => `--${long}`);
}

function shownOptions(options: readonly OptionSpec[]): OptionSpec[] {
  return [...options.filter(({ hidden }) => !hidden), HELP_OPTION];
}

/** Single quotes, as fish and PowerShell read them; no text of ours has one inside. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
