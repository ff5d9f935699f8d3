import { z } from "zod";
import { terminalSafe } from "../../util/untrusted-text.ts";

/** What stands at the top of a SKILL.md; `short` is for people. */
export type FrontMatter = {
  name?: string;
  description: string;
  short?: string;
  /** The user names it; the model does not choose it. */
  isForUsersOnly?: boolean;
};

export const LONGEST_NAME = 64;
export const LONGEST_DESCRIPTION = 1024;
/** What could end the list that a skill is named in, or the element that its text is in. */
export const NOT_IN_NAMES = /[<>"`]/;

const Text = z.union([z.string(), z.number(), z.boolean()]).transform((value) => oneLine(String(value)));
const Head = z.looseObject({
  name: Text.optional(),
  description: Text.optional(),
  metadata: z.looseObject({ "short-description": Text.optional() }).optional(),
  "disable-model-invocation": z.boolean().optional(),
});

/** Reads the head of a SKILL.md. A problem is a text that says what is wrong with the file. */
export async function readFrontMatter(text: string): Promise<FrontMatter | { problem: string }> {
  const { head } = splitSkill(text);
  if (head === undefined) return { problem: "it must begin with YAML between two lines of ---" };
  const read = Head.safeParse(await parsed(head));
  if (!read.success) return { problem: "its head must be YAML with a name and a description" };
  const { name, description = "", metadata } = read.data;
  if (description === "") return { problem: "its head has no description" };
  const problem = name === undefined ? undefined : nameProblem(name, "its name");
  if (problem !== undefined) return { problem };
  const short = metadata?.["short-description"];
  return {
    ...(name ? { name } : {}),
    description: description.slice(0, LONGEST_DESCRIPTION).replaceAll(/<\/?skills?\b/gi, ""),
    ...(short ? { short } : {}),
    ...(read.data["disable-model-invocation"] ? { isForUsersOnly: true } : {}),
  };
}

/** What is wrong with a name, which stands in lists and elements that the model reads; `what` says whose it is. */
export function nameProblem(name: string, what: string): string | undefined {
  if (name.length > LONGEST_NAME) return `${what} is longer than ${LONGEST_NAME} characters`;
  return NOT_IN_NAMES.test(name) ? `${what} holds one of < > " \`` : undefined;
}

/** The YAML between the marks, when there is one, and the instructions after it. */
export function splitSkill(text: string): { head: string | undefined; body: string } {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { head: undefined, body: text.trim() };
  return { head: match[1] ?? "", body: text.slice(match[0].length).trim() };
}

async function parsed(head: string): Promise<unknown> {
  const { parse } = await import("yaml");
  const read = (text: string): unknown => {
    try {
      return parse(text, { logLevel: "error" });
    } catch {
      return undefined;
    }
  };
  return read(head) ?? read(quoted(head));
}

/** People write `description: Use this: it helps`, which is not YAML until the value is quoted. */
export function quoted(head: string): string {
  return head.replace(
    /^([A-Za-z-]+):[ \t]+(?!["'|>[{])(.+?)[ \t]*$/gm,
    (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}`,
  );
}

/** On one line, without what could move a cursor or hide. */
function oneLine(text: string): string {
  return terminalSafe(text).replace(/\s+/g, " ").trim();
}
