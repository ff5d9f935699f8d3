import { parse, TomlError } from "smol-toml";
import { AppError } from "../util/errors.ts";
import { lineAndColumn, scanToml, type TomlEntry } from "./toml-scan.ts";
import { formatPath, type TomlTable } from "./toml-table.ts";

/** Reads TOML. Throws AppError "config" with `file:line:column`, what is wrong there and the likely remedy. */
export function parseToml(text: string, file: string): TomlTable {
  try {
    const table = parse(text);
    if (isDeeper(table, MOST_LEVELS)) throw tooDeep(file);
    return table;
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const reason = (cause.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
    const line = text.split(/\r?\n/)[cause.line - 1] ?? "";
    const { problem, hint } = explain(reason, line, () => repeated(text, cause.line));
    throw new AppError("config", `${file}:${cause.line}:${cause.column}: ${problem}`, { hint, cause });
  }
}

/** No setting lies deeper than a few levels; what walks through a table does so by recursion. */
const MOST_LEVELS = 100;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function tooDeep(file: string): AppError {
  return new AppError("config", `${file}: tables or lists are nested more than ${MOST_LEVELS} levels deep`, {
    hint: "check the dots in the keys",
  });
}

type Explanation = { problem: string; hint: string };

function explain(reason: string, line: string, repeatedKey: () => Explanation | undefined): Explanation {
  const known = KNOWN_FAULTS.find(({ reasons, lines }) => reasons.test(reason) && lines.test(line));
  if (known !== undefined) return known;
  const isRepeated = /redefine/.test(reason);
  return (
    (isRepeated ? repeatedKey() : undefined) ?? {
      problem: `not valid TOML: ${reason}`,
      hint: "text goes in double quotes, a list in [ ], a table under a [header] or in { }",
    }
  );
}

const KNOWN_FAULTS: readonly (Explanation & { reasons: RegExp; lines: RegExp })[] = [
  {
    reasons: /escape|unicode/i,
    lines: /"[^"]*\\/,
    problem: "a backslash in double quotes starts an escape, and this is not a valid one",
    hint: "write a Windows path in single quotes ('C:\\dir\\file') or with double backslashes (\"C:\\\\dir\\\\file\")",
  },
  {
    reasons: /./,
    lines: /[\u2018\u2019\u201c\u201d]/,
    problem: "found a typographic quotation mark",
    hint: "use the plain quotes \" or ' around text",
  },
  {
    reasons: /end of key|illegal character in key|cannot find end of key/,
    lines: /^\s*[\w.-]+\s*:\s/,
    problem: 'wanted "=" between key and value, found ":"',
    hint: 'write key = value, with text in double quotes: key = "text"',
  },
  {
    reasons: /invalid value|illegal value|unexpected|number|date/i,
    lines: /=\s*(True|False|yes|no|on|off|TRUE|FALSE)\s*(#.*)?$/,
    problem: "wanted true or false in lower case",
    hint: "write true or false without quotes",
  },
  {
    reasons: /invalid value|illegal value|number|date/i,
    lines: /=\s*[A-Za-z~/.\\]/,
    problem: "wanted a value, found text without quotes",
    hint: 'put text in double quotes: key = "text"',
  },
];

/** Names the key that is set a second time on `faultLine`, and where it was set first. */
function repeated(text: string, faultLine: number): Explanation | undefined {
  const entries = scanToml(text);
  const lineOf = (entry: TomlEntry): number => lineAndColumn(text, entry.start).line;
  const second = entries.find((entry) => lineOf(entry) === faultLine);
  if (second === undefined) return undefined;
  const path = JSON.stringify(second.path);
  const first = entries.find((entry) => entry !== second && JSON.stringify(entry.path) === path);
  const key = formatPath(second.path);
  const earlier = first === undefined ? "earlier" : `first on line ${lineOf(first)}`;
  return {
    problem: `duplicate key: ${key} is set twice, ${earlier} and again here`,
    hint: "keep one of the two",
  };
}
