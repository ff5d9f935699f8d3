import type { JsonSchema } from "../model/types.ts";
import { shellQuote } from "../util/shell-quote.ts";
import { propertiesOf } from "./json-schema.ts";

/** The field of our own tool, and what other agents call it. */
const NAME = "cmd";
const OTHER_NAME = "command";

/**
 * A tool that wants a command line as `cmd` gets it also as the list of words that other agents' shell tools take:
 * `{"command": ["bash", "-lc", "ls"]}`. A text under the other name stays a missing field, as in codex, and
 * the model is told the right name. `repairs` takes a few words for the model about each change.
 */
export function asCommandLine(
  fields: Record<string, unknown>,
  schema: JsonSchema,
  repairs: string[],
): Record<string, unknown> {
  const properties = propertiesOf(schema);
  if (!Object.hasOwn(properties, NAME) || Object.hasOwn(properties, OTHER_NAME)) return fields;
  const isNamed = fields[NAME] !== undefined && fields[NAME] !== null;
  const value = isNamed ? fields[NAME] : fields[OTHER_NAME];
  const line = lineOf(value);
  if (line === undefined || line === value) return fields;
  if (!isNamed) repairs.push(`\`${OTHER_NAME}\` read as \`${NAME}\``);
  repairs.push(`\`${NAME}\` read as one command line`);
  const others = Object.entries(fields).filter(([name]) => name !== NAME && (isNamed || name !== OTHER_NAME));
  return { [NAME]: line, ...Object.fromEntries(others) };
}

function lineOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === "string"))
    return undefined;
  const [shell, option, script, ...more] = value;
  const isScript =
    /^(\/\S*\/)?(ba|z|da)?sh$/.test(shell ?? "") && /^-l?c$/.test(option ?? "") && script !== undefined;
  return isScript && more.length === 0 ? script : shellQuote(value);
}
