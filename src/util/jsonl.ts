import { open } from "node:fs/promises";

export type JsonlSink = {
  value(value: unknown): void;
  /** Called once for each line of which something could not be used. */
  damage(): void;
};

export type JsonlOptions = {
  /**
   * How a line begins, e.g. `{"id":`. It lets a whole object be found after the rest of a cut one. It can't be mistaken
   * for text inside a string, as quotes are escaped there.
   */
  lineStart?: string;
  /** Longer lines are skipped as damage. Bytes. */
  maxLineBytes?: number;
};

const CHUNK_BYTES = 256 * 1024;
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const MAX_STARTS_PER_LINE = 50;
const NEWLINE = 0x0a;

/** Reads a whole file of JSON lines, however big and however damaged. Throws only when the file can't be read. */
export async function readJsonl(path: string, sink: JsonlSink, options: JsonlOptions = {}): Promise<void> {
  const decoder = new JsonlDecoder(sink, options);
  const file = await open(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      decoder.feed(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
  decoder.end();
}

/** Turns bytes into JSON values line by line: two values on one line are both used, broken ones are passed over. */
export class JsonlDecoder {
  readonly #sink: JsonlSink;
  readonly #lineStart: string | undefined;
  readonly #maxLineBytes: number;
  #carry: Buffer[] = [];
  #carryBytes = 0;
  #skipping = false;

  constructor(sink: JsonlSink, options: JsonlOptions = {}) {
    this.#sink = sink;
    this.#lineStart = options.lineStart;
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  }

  /** The chunk may be overwritten after this call. */
  feed(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#finishLine(chunk.subarray(from, end));
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Call it after the last chunk. */
  end(): void {
    this.#finishLine(Buffer.alloc(0));
  }

  #keep(rest: Buffer): void {
    if (this.#skipping || rest.length === 0) return;
    if (this.#carryBytes + rest.length > this.#maxLineBytes) {
      this.#skipping = true;
      this.#dropCarry();
      this.#sink.damage();
      return;
    }
    this.#carry.push(Buffer.from(rest));
    this.#carryBytes += rest.length;
  }

  #finishLine(rest: Buffer): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    const line = this.#carryBytes === 0 ? rest : Buffer.concat([...this.#carry, rest]);
    this.#dropCarry();
    if (line.length > 0) readLine(line.toString("utf8"), this.#lineStart, this.#sink);
  }

  #dropCarry(): void {
    this.#carry = [];
    this.#carryBytes = 0;
  }
}

function readLine(line: string, lineStart: string | undefined, sink: JsonlSink): void {
  const text = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  if (text.trim() === "") return;
  const whole = parsed(text);
  if (whole === undefined) recover(text, lineStart, sink);
  else sink.value(whole.value);
}

function recover(text: string, lineStart: string | undefined, sink: JsonlSink): void {
  let damaged = false;
  let used = 0;
  let start = nextObject(text, 0, lineStart);
  for (let tries = 0; start >= 0 && tries < MAX_STARTS_PER_LINE; tries++) {
    const end = endOfObject(text, start);
    const found = end < 0 ? undefined : parsed(text.slice(start, end));
    if (found === undefined) {
      start = lineStart === undefined ? -1 : text.indexOf(lineStart, start + 1);
      continue;
    }
    damaged ||= text.slice(used, start).trim() !== "";
    sink.value(found.value);
    used = end;
    start = nextObject(text, used, lineStart);
  }
  if (damaged || text.slice(used).trim() !== "") sink.damage();
}

/** Where the next object begins: right here, after NULs and blanks, or at the next start of a line. */
function nextObject(text: string, from: number, lineStart: string | undefined): number {
  let at = from;
  while (text[at] === "\0" || text[at] === " " || text[at] === "\r") at++;
  if (text[at] === "{") return at;
  return lineStart === undefined ? -1 : text.indexOf(lineStart, at);
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The index after the brace that closes the one at `start`; -1 when there is none. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return i + 1;
  }
  return -1;
}
