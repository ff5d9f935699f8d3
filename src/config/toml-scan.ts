/**
 * Where things are in a TOML text. The TOML reader gives values without places; messages need the line of a key, and
 * editing needs the bytes of a value. This looks at quotes, brackets and comments only, so it works on any text that
 * the reader accepts, and up to the fault on one that it refuses.
 */
export type TomlEntry = {
  /** `table`: a `[header]`; `array`: a `[[header]]`; `value`: a `key = value` line. */
  kind: "table" | "array" | "value";
  /** Absolute path; an element of `[[x]]` has its index, as digits, after x. */
  path: string[];
  /** Offsets: where the key or header begins, and where the value or header ends. */
  start: number;
  end: number;
  /** Where the value begins; for headers the same as `end`. */
  valueStart: number;
};

/** Every header and every `key = value` of a text, in its order. */
export function scanToml(text: string): TomlEntry[] {
  const entries: TomlEntry[] = [];
  const counts = new Map<string, number>();
  let section: string[] = [];
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const entry = text[at] === "[" ? readHeader(text, at, counts) : readLine(text, at, section);
    if (entry.kind !== "value") section = entry.path;
    entries.push(entry);
    at = skipBlank(text, endOfLine(text, entry.end));
  }
  return entries;
}

/**
 * The place of a key, or of the nearest table around it; undefined when the text says nothing of it. `entries` are those
 * of `text`.
 */
export function placeOf(
  text: string,
  entries: readonly TomlEntry[],
  path: readonly string[],
): { line: number; column: number } | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = entries.find((entry) => startsWith(entry.path, path.slice(0, length)));
    if (found !== undefined) return lineAndColumn(text, found.start);
  }
  return undefined;
}

/** Both count from 1; the column counts UTF-16 units. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

/** Does the path begin with `prefix`, or equal it? */
export function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= path.length && prefix.every((segment, i) => path[i] === segment);
}

function readHeader(text: string, start: number, counts: Map<string, number>): TomlEntry {
  const isArray = text[start + 1] === "[";
  const key = readKey(text, start + (isArray ? 2 : 1));
  const path = absolutePath(key.path, counts, isArray);
  const close = text.indexOf("]", key.end);
  const end = close < 0 ? text.length : close + (isArray ? 2 : 1);
  return { kind: isArray ? "array" : "table", path, start, end, valueStart: end };
}

function readLine(text: string, start: number, section: readonly string[]): TomlEntry {
  const key = readKey(text, start);
  const valueStart = skipSpaces(text, text[key.end] === "=" ? key.end + 1 : key.end);
  const end = endOfValue(text, valueStart);
  return { kind: "value", path: [...section, ...key.path], start, end, valueStart };
}

/** Puts the index of the current element after each array of tables that the path goes through. */
function absolutePath(path: readonly string[], counts: Map<string, number>, isArray: boolean): string[] {
  const absolute: string[] = [];
  path.forEach((segment, i) => {
    absolute.push(segment);
    const name = JSON.stringify(absolute);
    const isNew = isArray && i === path.length - 1;
    const count = (counts.get(name) ?? 0) + (isNew ? 1 : 0);
    if (isNew) counts.set(name, count);
    if (count > 0) absolute.push(String(count - 1));
  });
  return absolute;
}

/** Reads a dotted key; `end` is the offset of what follows it. */
function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = from;
  for (;;) {
    at = skipSpaces(text, at);
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = endOfString(text, at);
      path.push(unquote(text.slice(at, end)));
      at = end;
    } else {
      const bare = /[^\s.=\]#]*/y;
      bare.lastIndex = at;
      const word = bare.exec(text)?.[0] ?? "";
      path.push(word);
      at += word.length;
    }
    at = skipSpaces(text, at);
    if (text[at] !== ".") return { path, end: at };
    at++;
  }
}

function unquote(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    // A basic string of one line differs from JSON in a few escapes only, which no key of ours needs.
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

/** Strings, comments, brackets, line ends, spaces and plain runs of a value. */
const VALUE_PART = /["']|#[^\n]*|[[{]|[\]}]|[\r\n]+|[ \t]+|[^"'#[\]{}\s]+/.source;

function endOfValue(text: string, from: number): number {
  const parts = new RegExp(VALUE_PART, "y");
  let depth = 0;
  let at = from;
  let end = from;
  while (at < text.length) {
    parts.lastIndex = at;
    const part = parts.exec(text)?.[0] ?? text[at] ?? "";
    const isBlank = /^[\s#]/.test(part);
    if (isBlank && depth === 0 && !/^[ \t]/.test(part)) return end;
    if (part === "[" || part === "{") depth++;
    if (part === "]" || part === "}") depth--;
    at = part === '"' || part === "'" ? endOfString(text, at) : at + part.length;
    if (!isBlank) end = at;
  }
  return end;
}

function endOfString(text: string, from: number): number {
  const quote = text[from] ?? "";
  const delimiter = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  let at = from + delimiter.length;
  while (at < text.length) {
    if (delimiter.length === 1 && text[at] === "\n") return at;
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length;
      // A long string may end in one or two quotes of its own before the closing three.
      while (delimiter.length === 3 && text[at] === quote) at++;
      return at;
    }
    at += quote === '"' && text[at] === "\\" ? 2 : 1;
  }
  return text.length;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    if (text[at] === "#") at = endOfLine(text, at);
    else if (/\s/.test(text[at] ?? "")) at++;
    else break;
  }
  return at;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at + 1;
}
