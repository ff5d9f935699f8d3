import { isMap, isPair, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { HarnessFile } from "./schema.ts";

/** Reads a harness that a person wrote. Throws AppError "config" whose message starts with file:line:column. */
export function readHarnessFile(path: string, text: string): HarnessFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntaxError] = document.errors;
  if (syntaxError) throw problemAt(path, lines, syntaxError.pos[0], syntaxError.message);
  const checked = HarnessFile.safeParse(toValue(path, document));
  if (checked.success) return checked.data;
  const [issue, ...others] = checked.error.issues;
  if (!issue) throw checked.error;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw problemAt(path, lines, positionOf(document.contents, issue), `${describe(issue)}${more}`);
}

type Document = ReturnType<typeof parseDocument>;

function toValue(path: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("config", `${path}: ${reason}`, { hint: "write the repeated part out" });
  }
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
  return `${where}${issue.message}`;
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
