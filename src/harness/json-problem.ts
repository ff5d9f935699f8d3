/** Why a text is not JSON, and where, e.g. `EOF while parsing a string at line 1 column 13`. The text must be invalid. */
export function jsonProblem(text: string): string {
  return new Scanner(text).scan();
}

const DEEPEST = 128;
/** What may be left of a word or a number when the text ends inside it. */
const CUT_WORD = /^(?:|t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?\d+\.|-?\d+(?:\.\d+)?[eE][+-]?)$/;

/** Walks through the text as a parser would, without building anything. Each step returns the first problem it meets. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): string {
    const problem = this.#value(0);
    if (problem) return problem;
    return this.#next() === undefined ? this.#here("not a JSON value") : this.#here("trailing characters");
  }

  #value(depth: number): string | undefined {
    const char = this.#next();
    if (depth > DEEPEST) return this.#here("recursion limit exceeded");
    if (char === "{") return this.#members("}", "an object", depth);
    if (char === "[") return this.#members("]", "a list", depth);
    return char === '"' ? this.#string() : this.#word();
  }

  #members(close: "}" | "]", container: string, depth: number): string | undefined {
    this.#at += 1;
    if (this.#next() === close) return this.#skip();
    for (;;) {
      const problem = (close === "}" ? this.#key() : undefined) ?? this.#value(depth + 1);
      if (problem) return problem;
      const after = this.#next();
      if (after === close) return this.#skip();
      if (after === undefined) return this.#end(container);
      if (after !== ",") return this.#here(`expected \`,\` or \`${close}\``);
      this.#at += 1;
      if (this.#next() === close) return this.#here("trailing comma");
    }
  }

  #key(): string | undefined {
    const char = this.#next();
    if (char === undefined) return this.#end("an object");
    if (char !== '"') return this.#here("key must be a string");
    const problem = this.#string();
    if (problem) return problem;
    const colon = this.#next();
    if (colon === undefined) return this.#end("an object");
    return colon === ":" ? this.#skip() : this.#here("expected `:`");
  }

  #string(): string | undefined {
    for (this.#at += 1; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (char === '"') return this.#skip();
      if (char < " ") return this.#here("control character (\\u0000-\\u001F) found while parsing a string");
      if (char !== "\\") continue;
      const [escaped] =
        /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(this.#text.slice(this.#at, this.#at + 6)) ?? [];
      if (!escaped)
        return this.#text.length - this.#at < 6 ? this.#end("a string") : this.#here("invalid escape");
      this.#at += escaped.length - 1;
    }
    return this.#end("a string");
  }

  #word(): string | undefined {
    const rest = this.#text.slice(this.#at);
    const [word] = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(rest) ?? [];
    if (word === rest) this.#at = this.#text.length;
    else if (CUT_WORD.test(rest)) return this.#end("a value");
    else if (word === undefined) return this.#here("expected value");
    else this.#at += word.length;
    return undefined;
  }

  /** The next character that is not blank. */
  #next(): string | undefined {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text[this.#at];
  }

  #skip(): undefined {
    this.#at += 1;
  }

  #here(what: string): string {
    return `${what} ${position(this.#text.slice(0, this.#at + 1))}`;
  }

  #end(container: string): string {
    return `EOF while parsing ${container} ${position(this.#text)}`;
  }
}

/** Where the last character of `text` stands. */
function position(text: string): string {
  const lines = text.split("\n");
  return `at line ${lines.length} column ${lines.at(-1)?.length ?? 0}`;
}
