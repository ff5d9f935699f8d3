/** A stretch of an answer's text, told apart. */
export type Stretch = { kind: "text" | "thinking"; text: string };

/** Stands between the text that a server sends and the events that come of it. Holds back what it can't judge yet. */
export interface TextFilter {
  push(delta: string): Stretch[];
  end(): Stretch[];
}

const PAIRS = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
] as const;

/**
 * Takes a thought in tags out of the start of an answer. Only an opener with nothing but white space before it counts, so
 * that an answer can speak about the tags.
 */
export class ThinkFilter implements TextFilter {
  #state: "start" | "thinking" | "gap" | "text" = "start";
  #closer = "";
  #held = "";

  push(delta: string): Stretch[] {
    if (this.#state === "text") return delta === "" ? [] : [{ kind: "text", text: delta }];
    this.#held += delta;
    return [...this.#atStart(), ...this.#inThought(), ...this.#afterThought()];
  }

  end(): Stretch[] {
    const text = this.#held;
    this.#held = "";
    if (text === "" || this.#state === "gap") return [];
    return [{ kind: this.#state === "thinking" ? "thinking" : "text", text }];
  }

  #atStart(): Stretch[] {
    if (this.#state !== "start") return [];
    const begun = this.#held.trimStart();
    const pair = PAIRS.find(([opener]) => begun.startsWith(opener));
    if (pair) {
      this.#state = "thinking";
      this.#closer = pair[1];
      this.#held = begun.slice(pair[0].length);
      return [];
    }
    return PAIRS.some(([opener]) => opener.startsWith(begun)) ? [] : this.#flushText();
  }

  #inThought(): Stretch[] {
    if (this.#state !== "thinking") return [];
    const end = this.#held.indexOf(this.#closer);
    if (end >= 0) {
      const text = this.#held.slice(0, end);
      this.#held = this.#held.slice(end + this.#closer.length);
      this.#state = "gap";
      return text === "" ? [] : [{ kind: "thinking", text }];
    }
    const keep = tailLength(this.#held, this.#closer);
    const text = this.#held.slice(0, this.#held.length - keep);
    this.#held = this.#held.slice(text.length);
    return text === "" ? [] : [{ kind: "thinking", text }];
  }

  /** Blank lines between the thought and the answer belong to neither. */
  #afterThought(): Stretch[] {
    if (this.#state !== "gap") return [];
    this.#held = this.#held.trimStart();
    return this.#held === "" ? [] : this.#flushText();
  }

  #flushText(): Stretch[] {
    this.#state = "text";
    const text = this.#held;
    this.#held = "";
    return text === "" ? [] : [{ kind: "text", text }];
  }
}

/** How much of the end of `text` could be the beginning of `mark`. */
function tailLength(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

/**
 * Splits an answer whose thought was opened by the chat template, so that only the closer is in the text. The closer
 * counts outside code, at the start or the end of a line.
 */
export function splitAtLoneCloser(text: string): { thought: string; rest: string } | undefined {
  for (const [opener, closer] of PAIRS) {
    const at = text.indexOf(closer);
    if (at < 0 || text.includes(opener)) continue;
    const before = text.slice(0, at);
    const after = text.slice(at + closer.length);
    const isAtEdge = /(^|\n)[ \t]*$/.test(before) || /^[ \t]*(\n|$)/.test(after);
    const isInCode =
      (before.split("```").length - 1) % 2 === 1 || (lastLine(before).split("`").length - 1) % 2 === 1;
    if (isAtEdge && !isInCode) return { thought: before.trim(), rest: after.trimStart() };
  }
  return undefined;
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}
