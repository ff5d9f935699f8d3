import { type CommandSpec, HELP_OPTION, type OptionSpec, usageLine } from "./args.ts";

/** The help text of a command, from the tables that its parser uses, 80 columns wide. Ends with a line break. */
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
    spec.notes === undefined ? "" : `${wrapped(spec.notes.trimEnd(), WIDTH).join("\n")}\n`,
  ];
  return sections.filter((text) => text !== "").join("\n");
}

const WIDTH = 80;
const WIDEST_LEFT_COLUMN = 34;

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return "";
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= WIDEST_LEFT_COLUMN);
  const width = Math.max(0, ...fitting);
  const indent = " ".repeat(width + 4);
  const lines = rows.map(([left, right]) => {
    const text = wrapped(right, WIDTH - indent.length).join(`\n${indent}`);
    return left.length > width ? `  ${left}\n${indent}${text}` : `  ${left.padEnd(width)}  ${text}`;
  });
  return `${title}:\n${lines.join("\n")}\n`;
}

/** Lines of at most `width` characters, broken between words; a longer word has a line of its own. */
function wrapped(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === "" ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });
}

function optionColumn({ short, long, value, variadic }: OptionSpec): string {
  const names = short === undefined ? `    --${long}` : `-${short}, --${long}`;
  return value === undefined ? names : `${names} <${value}>${variadic ? "..." : ""}`;
}

function optionSummary({ summary, values }: OptionSpec): string {
  return values === undefined ? summary : `${summary} [possible values: ${values.join(", ")}]`;
}
