import type { FileHits, GrepLine } from "./grep-query.ts";
import { cutLine } from "./numbered.ts";

export type ReportOptions = {
  output: "content" | "files" | "count";
  lineNumbers: boolean;
  /** Matching lines for "content", files for the others. */
  limit: number;
  /** This many lines are left out at the beginning of the report. */
  offset?: number;
  /** `File: path` once, `L12: text` for each line, `---` after the last one. */
  isMarked?: boolean;
  /** Are lines around the matches shown? Then `--` stands between pieces that don't touch. */
  hasContext: boolean;
  nameOf(path: string): string;
  /** The path once for all its lines, which come as `  Line 12: text`. */
  isGrouped?: boolean;
};
export type GrepReport = { text: string; files: number; matches: number; more: boolean };

const MAX_LINE_CHARS = 500;

/** Collects hits and writes them as grep does: `path:12:text`, and `path-11-text` for a line around a match. */
export class GrepReporter {
  readonly #options: ReportOptions;
  readonly #lines: string[] = [];
  #files = 0;
  #matches = 0;
  #more = false;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** False: there is more than the limit, and nothing else is wanted. */
  add({ path, lines }: FileHits): boolean {
    const { output, limit, nameOf } = this.#options;
    const matches = lines.filter((line) => line.matches).length;
    const used = output === "content" ? this.#matches : this.#files;
    this.#more = used === limit || (output === "content" && used + matches > limit);
    if (used === limit) return false;
    this.#files++;
    if (output === "content") {
      const kept = upToMatch(lines, limit - this.#matches);
      this.#matches += Math.min(matches, limit - this.#matches);
      this.#addContent(nameOf(path), kept);
    } else {
      this.#matches += matches;
      this.#lines.push(output === "files" ? nameOf(path) : `${nameOf(path)}:${matches}`);
    }
    return !this.#more;
  }

  report(): GrepReport {
    return {
      text: this.#lines.slice(this.#options.offset ?? 0).join("\n"),
      files: this.#files,
      matches: this.#matches,
      more: this.#more,
    };
  }

  #addContent(name: string, lines: readonly GrepLine[]): void {
    const { lineNumbers, hasContext, isGrouped, isMarked } = this.#options;
    if (isMarked) {
      const texts = lines.map(({ number, text }) => `L${number}: ${cutLine(text, MAX_LINE_CHARS)}`);
      this.#lines.push(`File: ${name}`, ...texts, "---");
      return;
    }
    if (isGrouped) {
      const shown = lines.map(({ number, text }) => `  Line ${number}: ${cutLine(text, MAX_LINE_CHARS)}`);
      this.#lines.push(...(this.#lines.length > 0 ? [""] : []), `${name}:`, ...shown);
      return;
    }
    let last: number | undefined;
    for (const { number, text, matches } of lines) {
      if (hasContext && this.#lines.length > 0 && last !== number - 1) this.#lines.push("--");
      const sign = matches ? ":" : "-";
      const place = lineNumbers ? `${name}${sign}${number}${sign}` : `${name}${sign}`;
      this.#lines.push(place + cutLine(text, MAX_LINE_CHARS));
      last = number;
    }
  }
}

function upToMatch(lines: readonly GrepLine[], most: number): GrepLine[] {
  let matches = 0;
  const end = lines.findIndex((line) => line.matches && ++matches > most);
  return end === -1 ? [...lines] : lines.slice(0, end);
}
