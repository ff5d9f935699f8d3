export type Repaired = {
  value: unknown;
  /** What was wrong, each as a few words for the model. */
  repairs: string[];
  /** The text may have lost its end: right to run, but not to write files with. */
  isGuess: boolean;
};

/**
 * Reads a text that is JSON but for slips with one possible reading: comments, a code fence, commas before a closing
 * bracket, single quotes, line breaks inside strings, names without quotes, Python's words, backslashes that begin no
 * escape (`\d`), tags behind the end, closing brackets too many or, as a guess, missing at the end. Undefined for anything
 * else; the characters of a string are never changed.
 */
export function repairJson(text: string): Repaired | undefined {
  return new TolerantReader(text).read();
}

type Read = { value: unknown };

const DEEPEST = 128;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const WORDS: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
};

/** A parser of one pass. A step that returns undefined or false has met something without a clear reading. */
class TolerantReader {
  readonly #text: string;
  readonly #repairs = new Set<string>();
  #at = 0;
  #isGuess = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Repaired | undefined {
    if (this.#takes(/\s*```\w*[ \t]*\r?\n/y)) this.#note("a code fence");
    const read = this.#value(0);
    if (!read) return undefined;
    this.#skipBlank();
    if (this.#takes(/[}\]]+\s*/y)) this.#note("a closing bracket too many");
    if (this.#takes(/```\s*/y)) this.#note("a code fence");
    if (this.#takes(/(?:(?:<\/[\w:-]+>|<\|[^<>|]+\|>)\s*)+/y)) this.#note("a tag behind the end");
    if (this.#at < this.#text.length) return undefined;
    return { value: read.value, repairs: [...this.#repairs], isGuess: this.#isGuess };
  }

  #value(depth: number): Read | undefined {
    this.#skipBlank();
    const char = this.#text[this.#at];
    if (depth > DEEPEST) return undefined;
    if (char === "{") return this.#object(depth);
    if (char === "[") return this.#list(depth);
    return char === '"' || char === "'" ? this.#string(char) : this.#word();
  }

  #object(depth: number): Read | undefined {
    const entries = new Map<string, unknown>();
    const isRead = this.#members("}", () => {
      const name = this.#name();
      if (name === undefined || entries.has(name) || !this.#takes(/\s*:/y)) return false;
      const read = this.#value(depth + 1);
      if (read) entries.set(name, read.value);
      return read !== undefined;
    });
    return isRead ? { value: Object.fromEntries(entries) } : undefined;
  }

  #list(depth: number): Read | undefined {
    const items: unknown[] = [];
    const isRead = this.#members("]", () => {
      const read = this.#value(depth + 1);
      if (read) items.push(read.value);
      return read !== undefined;
    });
    return isRead ? { value: items } : undefined;
  }

  #members(close: "}" | "]", readOne: () => boolean): boolean {
    this.#at += 1;
    this.#skipBlank();
    if (this.#skips(close)) return true;
    for (;;) {
      if (!readOne()) return false;
      const end = this.#at;
      this.#skipBlank();
      if (this.#skips(close)) return true;
      if (this.#at === this.#text.length) return this.#unclosed(end);
      if (!this.#skips(",")) return false;
      this.#skipBlank();
      if (!this.#skips(close)) continue;
      this.#note("a comma before a closing bracket");
      return true;
    }
  }

  /** The text ends after a value, not inside one. A number that the text ends with may have lost digits. */
  #unclosed(endOfValue: number): boolean {
    if (endOfValue === this.#text.length && /\d$/.test(this.#text)) return false;
    this.#note("a missing closing bracket");
    this.#isGuess = true;
    return true;
  }

  #name(): string | undefined {
    this.#skipBlank();
    const char = this.#text[this.#at];
    if (char === '"' || char === "'") return this.#string(char)?.value;
    const name = this.#takes(/[A-Za-z_$][\w$-]*/y);
    if (name) this.#note("a name without quotes");
    return name;
  }

  #string(quote: '"' | "'"): { value: string } | undefined {
    if (quote === "'") this.#note("single quotes");
    let value = "";
    for (this.#at += 1; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (this.#skips(quote)) return { value };
      if (char < " ") this.#note("a line break inside a string");
      const read = char === "\\" ? this.#escape(quote) : char;
      if (read === undefined) return undefined;
      value += read;
    }
    return undefined;
  }

  /** Leaves the position at the last character of the escape. */
  #escape(quote: '"' | "'"): string | undefined {
    this.#at += 1;
    const char = this.#text.charAt(this.#at);
    // In double quotes, \' may stand for ' or for both characters.
    if (char === "'" && quote === "'") return char;
    if (char !== "u") return Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : this.#noEscape(char);
    const digits = /^[0-9a-fA-F]{4}/.exec(this.#text.slice(this.#at + 1, this.#at + 5))?.[0];
    if (digits === undefined) return this.#noEscape(char);
    this.#at += digits.length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** `\d` of a pattern, `\.` or `\$`: the model meant both characters. */
  #noEscape(char: string): string | undefined {
    if (char === "" || char === "'") return undefined;
    this.#note("a backslash that is not an escape");
    return `\\${char}`;
  }

  #word(): Read | undefined {
    const word = this.#takes(/(?:[A-Za-z]+|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y);
    if (word === undefined) return undefined;
    if (Object.hasOwn(WORDS, word)) {
      if (/^[TFN]/.test(word)) this.#note("True, False or None");
      return { value: WORDS[word] };
    }
    return /^[A-Za-z]/.test(word) ? undefined : { value: Number(word) };
  }

  #skipBlank(): void {
    this.#takes(/\s+/y);
    while (this.#takes(/(?:\/\/|#)[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\//y) !== undefined) {
      this.#note("a comment");
      this.#takes(/\s+/y);
    }
  }

  #skips(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  /** What the sticky pattern matches here, and goes past it. */
  #takes(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [match] = pattern.exec(this.#text) ?? [];
    this.#at += match?.length ?? 0;
    return match;
  }

  #note(repair: string): void {
    this.#repairs.add(repair);
  }
}
