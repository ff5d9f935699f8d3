import { inline } from "./inline.ts";
import { tableRows } from "./table.ts";
import { safe, wrap } from "./text.ts";
import type { Theme } from "./theme.ts";

export type MarkdownOptions = { maxOpenRows?: number };

/**
 * Markdown that arrives piece by piece. `commit` gives each row of what is finished once; `open` the rows of what may
 * still change.
 */
export class MarkdownStream {
  #rest = "";
  /** Lines of the block that is not finished. */
  #block: string[] = [];
  #fence: string | undefined;
  #done: string[] = [];
  #needsGap = false;

  push(delta: string): void {
    this.#rest += delta;
  }

  commit(width: number, theme: Theme): string[] {
    for (let end = this.#rest.indexOf("\n"); end >= 0; end = this.#rest.indexOf("\n")) {
      const line = safe(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end + 1);
      this.#line(line, width, theme);
    }
    return this.#done.splice(0);
  }

  open(width: number, theme: Theme): string[] {
    const last = safe(this.#rest);
    if (this.#fence !== undefined) return last === "" ? [] : codeRows(last, width, theme);
    const lines = last === "" ? this.#block : [...this.#block, last];
    const rows = blockRows(lines, width, theme);
    return rows.length > 0 && this.#needsGap ? ["", ...rows] : rows;
  }

  end(width: number, theme: Theme): string[] {
    if (this.#rest !== "") this.push("\n");
    const rows = this.commit(width, theme);
    this.#close(width, theme);
    return [...rows, ...this.#done.splice(0)];
  }

  #line(line: string, width: number, theme: Theme): void {
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (this.#fence !== undefined) {
      if (fence?.startsWith(this.#fence)) this.#fence = undefined;
      else this.#done.push(...codeRows(line, width, theme));
      return;
    }
    if (fence !== undefined) {
      this.#close(width, theme);
      this.#gap();
      this.#fence = fence;
      this.#needsGap = true;
      return;
    }
    if (line.trim() === "") {
      this.#close(width, theme);
      if (this.#hasStarted) this.#needsGap = true;
      return;
    }
    const kind = kindOf(line);
    const last = this.#block.at(-1);
    if (
      last !== undefined &&
      (kind !== "text" || kindOf(last) === "heading") &&
      !(kind === "table" && kindOf(last) === "table")
    )
      this.#close(width, theme);
    this.#block.push(line);
  }

  #hasStarted = false;

  #close(width: number, theme: Theme): void {
    const lines = this.#block.splice(0);
    if (lines.length === 0) return;
    this.#gap();
    this.#done.push(...blockRows(lines, width, theme));
  }

  #gap(): void {
    if (this.#needsGap) this.#done.push("");
    this.#needsGap = false;
    this.#hasStarted = true;
  }
}

type Kind = "heading" | "item" | "quote" | "table" | "rule" | "text";

function kindOf(line: string): Kind {
  if (/^#{1,6}\s/.test(line)) return "heading";
  if (/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) return "item";
  if (/^\s*>/.test(line)) return "quote";
  if (/^\s*\|/.test(line)) return "table";
  return /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line) ? "rule" : "text";
}

function blockRows(lines: readonly string[], width: number, theme: Theme): string[] {
  const [first] = lines;
  if (first === undefined) return [];
  const text = lines.join(" ");
  switch (kindOf(first)) {
    case "heading":
      return wrap(theme.heading(inline(text.replace(/^#+\s+/, ""), theme)), width);
    case "rule":
      return [theme.dim("─".repeat(Math.min(width, 20)))];
    case "table":
      return tableRows(lines, width, theme);
    case "quote":
      return hanging(theme.dim("│ "), inline(text.replace(/(^|\s)>\s?/g, "$1"), theme), width);
    case "item": {
      const [, space = "", mark = "-", rest = ""] = /^(\s*)([-*+]|\d+[.)])\s+([\s\S]*)$/.exec(text) ?? [];
      return hanging(`${space}${/\d/.test(mark) ? mark : "-"} `, inline(rest, theme), width);
    }
    case "text":
      return wrap(inline(lines.map((line) => line.trim()).join(" "), theme), width);
  }
}

function hanging(mark: string, text: string, width: number): string[] {
  const space = " ".repeat(Bun.stringWidth(mark));
  return wrap(text, Math.max(1, width - space.length)).map((row, i) => (i === 0 ? mark : space) + row);
}

function codeRows(line: string, width: number, theme: Theme): string[] {
  return wrap(line, Math.max(1, width - 2)).map((row) => `  ${theme.code(row)}`);
}
