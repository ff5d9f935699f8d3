import { existsSync } from "node:fs";
import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { LONGEST_DESCRIPTION, LONGEST_NAME, NOT_IN_NAMES, quoted, splitSkill } from "./front-matter.ts";
import { entriesBeside, folderName, LONGEST_SKILL } from "./scan.ts";

/** `line` counts from 1. An error keeps the skill from being used as it is meant; a warning does not. */
export type SkillProblem = {
  file: string;
  line: number;
  column?: number;
  level: "error" | "warning";
  message: string;
};

const MANY_LINES = 500;
/** Ours, and those of other programs that read such files. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "metadata",
  "model",
  "license",
  "compatibility",
  "allowed-tools",
  "disable-model-invocation",
  "user-invocable",
  "argument-hint",
  "version",
]);

/** What is wrong with a skill, in the order of its lines. Reads `file`, a SKILL.md, and what lies beside it. */
export async function checkSkill(file: string): Promise<SkillProblem[]> {
  const at = (line: number, level: SkillProblem["level"], message: string): SkillProblem => ({
    file,
    line,
    level,
    message,
  });
  const facts = await lstat(file).catch(() => undefined);
  if (facts === undefined) return [at(1, "error", "there is no such file")];
  if (!facts.isFile()) return [at(1, "error", "it is not an ordinary file")];
  if (facts.size > LONGEST_SKILL) return [at(1, "error", "it is larger than 1 MiB, so it is not read")];
  const bytes = await readFile(file);
  const text = bytes.toString("utf8");
  const problems = text.includes("\uFFFD")
    ? [at(lineOf(text, text.indexOf("\uFFFD")), "error", "it is not UTF-8")]
    : [];
  const { head, body } = splitSkill(text);
  if (head === undefined)
    return [...problems, at(1, "error", "it must begin with YAML between two lines of ---")];
  problems.push(...(await headProblems(file, head)), ...hiddenCharacters(file, text));
  const bodyAt = lineOf(text, text.lastIndexOf(body));
  if (body === "") problems.push(at(bodyAt, "error", "there are no instructions below its head"));
  const lines = body.split("\n").length;
  if (lines > MANY_LINES)
    problems.push(at(bodyAt, "warning", `it has ${lines} lines: move what is seldom needed to references/`));
  problems.push(...missingFiles(file, text), ...(await strayLinks(file)));
  return problems.toSorted((a, b) => a.line - b.line);
}

async function headProblems(file: string, head: string): Promise<SkillProblem[]> {
  const { LineCounter, parseDocument } = await import("yaml");
  const counter = new LineCounter();
  const strict = parseDocument(head, { lineCounter: counter, logLevel: "error" });
  const repaired = strict.errors.length === 0 ? strict : parseDocument(quoted(head), { logLevel: "error" });
  const problems: SkillProblem[] = [];
  const [first] = strict.errors;
  if (first) {
    const { line, col } = counter.linePos(first.pos[0]);
    const isRead = repaired.errors.length === 0;
    const message = isRead
      ? "a value with a colon or # in it should stand in quotes; it is read as if it did"
      : `its head is not YAML: ${firstLine(first.message)}`;
    problems.push({ file, line: line + 1, column: col, level: isRead ? "warning" : "error", message });
    if (!isRead) return problems;
  }
  const values: unknown = repaired.toJS();
  if (typeof values !== "object" || values === null || Array.isArray(values))
    return [
      ...problems,
      { file, line: 2, level: "error", message: "its head must hold a name and a description" },
    ];
  return [...problems, ...valueProblems(file, new Map(Object.entries(values)), (key) => keyLine(head, key))];
}

function valueProblems(
  file: string,
  values: ReadonlyMap<string, unknown>,
  lineOfKey: (key: string) => number,
): SkillProblem[] {
  const problems: SkillProblem[] = [];
  const add = (key: string, level: SkillProblem["level"], message: string) =>
    problems.push({ file, line: lineOfKey(key), level, message });
  const name = textOf(values.get("name"));
  const description = textOf(values.get("description"));
  if (name === undefined && values.has("name")) add("name", "error", "name must be a text");
  if (name !== undefined && name.length > LONGEST_NAME)
    add("name", "error", `name has ${name.length} characters; ${LONGEST_NAME} are allowed`);
  if (name !== undefined && NOT_IN_NAMES.test(name)) add("name", "error", 'name may not hold < > " or `');
  const called = name ?? folderName(file);
  if (!/^[A-Za-z0-9][\w:.-]*$/.test(called))
    add("name", "warning", `"${called}" can't be written as $name: use letters, digits, -, _, . and :`);
  if (name !== undefined && name !== folderName(file))
    add("name", "warning", `name is "${name}", but its folder is called "${folderName(file)}"`);
  if (description === undefined || description === "")
    add("description", "error", "description is missing: the model chooses skills by it");
  else if (description.length > LONGEST_DESCRIPTION)
    add(
      "description",
      "error",
      `description has ${description.length} characters; ${LONGEST_DESCRIPTION} are read`,
    );
  for (const key of values.keys())
    if (!KNOWN_KEYS.has(key)) add(key, "warning", `unknown key ${key}: nothing reads it; metadata takes any`);
  return problems;
}

/** A reader sees other text than the model where characters hide or reorder. */
function hiddenCharacters(file: string, text: string): SkillProblem[] {
  const message = "it holds control or invisible characters, which a person can't see and a model reads";
  const line = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .findIndex((one) => terminalSafe(one) !== one);
  return line < 0 ? [] : [{ file, line: line + 1, level: "error", message }];
}

/** Files that the instructions name, in links and in backquotes, and that are not there. */
function missingFiles(file: string, text: string): SkillProblem[] {
  const folder = dirname(file);
  const seen = new Set<string>();
  const problems: SkillProblem[] = [];
  const named = /\]\((?![a-z]+:|#|\/)([^)\s#]+)[^)]*\)|`((?:scripts|references|assets)\/[\w./-]*\w)`/g;
  for (const match of text.matchAll(named)) {
    const path = match[1] ?? match[2] ?? "";
    if (seen.has(path) || existsSync(join(folder, path))) continue;
    seen.add(path);
    problems.push({
      file,
      line: lineOf(text, match.index),
      level: "warning",
      message: `${path} is named, but there is no such file beside it`,
    });
  }
  return problems;
}

async function strayLinks(file: string): Promise<SkillProblem[]> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  const problems: SkillProblem[] = [];
  for (const { path } of (await entriesBeside(folder)).filter(({ isLink }) => isLink)) {
    const target = await realpath(path).catch(() => undefined);
    const way = target === undefined ? undefined : relative(folder, target);
    if (way !== undefined && way !== ".." && !way.startsWith(`..${sep}`)) continue;
    const message = target === undefined ? "this link leads nowhere" : "this link leads out of the skill";
    problems.push({ file: path, line: 1, level: "warning", message });
  }
  return problems;
}

function keyLine(head: string, key: string): number {
  const at = head.split("\n").findIndex((line) => line.startsWith(`${key}:`));
  return at < 0 ? 1 : at + 2;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number"
    ? String(value).replace(/\s+/g, " ").trim()
    : undefined;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split("\n").length;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.replace(/ at line \d+.*$/, "") ?? "";
}
