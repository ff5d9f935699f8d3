import { PLAN_BEGIN, PLAN_END } from "../../../protocol/proposed-plan.ts";

/** What one line of Markdown begins or goes on with. `indent`: the spaces before it. */
export type Line =
  | { kind: "blank" }
  | { kind: "fence"; indent: number; fence: string; language: string }
  | { kind: "heading"; text: string }
  | { kind: "underline" }
  | { kind: "rule" }
  | { kind: "item"; indent: number; mark: string; text: string }
  | { kind: "quote"; text: string }
  | { kind: "text"; indent: number; text: string };

export type Align = "left" | "right" | "center";

export function parseLine(line: string): Line {
  const text = line.trim();
  if (text === "") return { kind: "blank" };
  const indent = line.length - line.trimStart().length;
  const fence = /^(`{3,}|~{3,})([^`]*)$/.exec(text);
  if (fence) {
    const [, marks = "", words = ""] = fence;
    return { kind: "fence", indent, fence: marks, language: words.trim().split(/[\s,{]/)[0] ?? "" };
  }
  if (text === PLAN_BEGIN) return { kind: "heading", text: "Proposed plan" };
  if (text === PLAN_END) return { kind: "blank" };
  const heading = /^#{1,6}(?:\s+(.*?))?(?:\s+#+)?$/.exec(text);
  if (heading) return { kind: "heading", text: heading[1] ?? "" };
  if (/^([-*_])(?: *\1){2,}$/.test(text)) return { kind: "rule" };
  if (/^={2,}$/.test(text)) return { kind: "underline" };
  const item = /^([-*+]|\d{1,9}[.)])(?:\s+(.*))?$/.exec(text);
  if (item) {
    const [, mark = "-", rest = ""] = item;
    return { kind: "item", indent, mark: /\d/.test(mark) ? mark : "-", text: rest };
  }
  if (text.startsWith(">")) return { kind: "quote", text: text.replace(/^> ?/, "") };
  return { kind: "text", indent, text };
}

/** Does this line end a block of code that began with `fence`? */
export function closesFence(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence.charAt(0).repeat(text.length);
}

/** The alignment of each column, when the line is the one below the head of a table. */
export function delimiterRow(line: string): Align[] | undefined {
  if (!line.includes("|") || !/^[\s|:-]+$/.test(line)) return undefined;
  const cells = cellsOf(line);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    if (!cell.endsWith(":")) return "left";
    return cell.startsWith(":") ? "center" : "right";
  });
}

export function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
