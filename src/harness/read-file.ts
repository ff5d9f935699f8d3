import { isMap, isPair, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { HarnessFile } from "./schema.ts";

/** Reads a harness that a person wrote. Throws AppError "config" whose message starts with file:line:column. */
export function readHarnessFile(path: string, text: string): HarnessFile {
  const lines = new LineCounter();
  const document = parsed(path, text, lines);
  const [syntaxError] = document.errors;
  if (syntaxError) {
    const isSecond = syntaxError.code === "MULTIPLE_DOCS";
    const message = isSecond
      ? "wanted one harness in a file, found the beginning of a second"
      : syntaxError.message;
    throw problemAt(path, lines, syntaxError.pos[0], message);
  }
  const checked = HarnessFile.safeParse(toValue(path, document));
  if (checked.success) return checked.data;
  const [issue, ...others] = checked.error.issues;
  if (!issue) throw checked.error;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw problemAt(path, lines, positionOf(document.contents, issue), `${describe(issue)}${more}`);
}

type Document = ReturnType<typeof parseDocument>;

/** Parts that stand in each other deeper than this are no harness, and would be too deep for whatever walks through them. */
const MOST_DEPTH = 60;

function parsed(path: string, text: string, lines: LineCounter): Document {
  try {
    return parseDocument(text, { lineCounter: lines, prettyErrors: false });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooDeep(path);
    throw cause;
  }
}

function toValue(path: string, document: Document): unknown {
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooDeep(path);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("config", `${path}: ${reason}`, { hint: "write the repeated part out" });
  }
  if (isDeeperThan(MOST_DEPTH, value)) throw tooDeep(path);
  return value;
}

/** Also true of a value that holds itself, by an alias to what it stands in. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function tooDeep(path: string): AppError {
  return new AppError(
    "config",
    `${path}: parts stand in each other more than ${MOST_DEPTH} deep, or in themselves`,
    {
      hint: "look for an alias (*name) inside of what its anchor (&name) names",
    },
  );
}

function problemAt(path: string, lines: LineCounter, offset: number, message: string): AppError {
  const { line, col } = lines.linePos(offset);
  return new AppError("config", `${path}:${line}:${col}: ${message}`, {
    hint: "docs/harnesses.md lists every key of a harness file",
  });
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  if (issue.code === "unrecognized_keys") {
    const near =
      issue.path.length === 0 ? nearest(issue.keys[0] ?? "", Object.keys(HarnessFile.shape), 3) : undefined;
    return `${where}unknown key ${issue.keys.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`;
  }
  const inKey = issue.code === "invalid_key" ? issue.issues[0] : undefined;
  return `${where}${(inKey ?? issue).message}`;
}

/** The offset of the deepest part of the text that the issue's path leads to; of the key itself when it is unknown. */
function positionOf(root: unknown, issue: z.core.$ZodIssue): number {
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]] : issue.path;
  let offset = 0;
  let node: unknown = root;
  for (const step of path) {
    const found = childOf(node, step);
    if (!found) break;
    offset = found.offset;
    node = found.node;
  }
  return offset;
}

function childOf(
  node: unknown,
  step: PropertyKey | undefined,
): { node: unknown; offset: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === step);
    return pair && isScalar(pair.key) ? { node: pair.value, offset: pair.key.range?.[0] ?? 0 } : undefined;
  }
  const items: unknown = node && typeof node === "object" && "items" in node ? node.items : undefined;
  const item: unknown = Array.isArray(items) && typeof step === "number" ? items[step] : undefined;
  return isPositioned(item) ? { node: item, offset: item.range[0] } : undefined;
}

function isPositioned(node: unknown): node is Node & { range: [number, number, number] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}
