import { type CommandSpec, HELP_OPTION, type OptionSpec, usageLine } from "./args.ts";

/** The help text of a command, from the tables that its parser uses. Ends with a line break. */
export function helpText(spec: CommandSpec): string {
  const visible = (spec.subcommands ?? []).filter(({ hidden }) => !hidden);
  const options = [...spec.options.filter(({ hidden }) => !hidden), HELP_OPTION];
  const both = visible.length > 0 && (spec.positionals?.length ?? 0) > 0;
  const sections = [
    `${spec.summary}\n`,
    `Usage: ${usageLine(spec)}\n${both ? `       ${spec.name} [OPTIONS] <COMMAND> [ARGS]\n` : ""}`,
    section(
      "Commands",
      visible.map(({ name, summary }) => [name, summary]),
    ),
    section(
      "Arguments",
      (spec.positionals ?? []).map(({ name, summary }) => [
        name.startsWith("[") ? name : `<${name}>`,
        summary,
      ]),
    ),
    section(
      "Options",
      options.map((option) => [optionColumn(option), optionSummary(option)]),
    ),
    spec.notes === undefined ? "" : `${spec.notes.trimEnd()}\n`,
  ];
  return sections.filter((text) => text !== "").join("\n");
}

const WIDEST_LEFT_COLUMN = 34;

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return "";
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= WIDEST_LEFT_COLUMN);
  const width = Math.max(0, ...fitting);
  const lines = rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n${" ".repeat(width + 4)}${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
  return `${title}:\n${lines.join("\n")}\n`;
}

function optionColumn({ short, long, value, variadic }: OptionSpec): string {
  const names = short === undefined ? `    --${long}` : `-${short}, --${long}`;
  return value === undefined ? names : `${names} <${value}>${variadic ? "..." : ""}`;
}

function optionSummary({ summary, values }: OptionSpec): string {
  return values === undefined ? summary : `${summary} [possible values: ${values.join(", ")}]`;
}
