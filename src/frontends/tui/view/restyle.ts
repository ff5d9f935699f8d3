/** A part of a text, in UTF-16 units; `end` is not part of it. */
export type Range = { start: number; end: number };

type Style = { opening: string; closing: string };

/** Rows of a line with colours, from ranges of the line without them: each row opens and closes what is on in it. */
export function restyle(line: string, ranges: readonly Range[]): string[] {
  const rows = ranges.map(() => "");
  const open = new Map<string, Style>();
  let at = 0;
  let n = 0;
  let isInside = false;
  for (const [token] of line.matchAll(/\u001b\[[0-9;]*m|[^\u001b]+/g)) {
    if (token.startsWith("\u001b")) {
      apply(token, open);
      if (isInside) rows[n] += token;
      continue;
    }
    const end = at + token.length;
    for (let range = ranges[n]; range && range.start < end; range = ranges[n]) {
      if (!isInside) rows[n] += [...open.values()].map(({ opening }) => opening).join("");
      rows[n] += token.slice(Math.max(0, range.start - at), range.end - at);
      isInside = range.end > end;
      if (isInside) break;
      rows[n] += closings(open);
      n += 1;
    }
    at = end;
  }
  return rows;
}

function closings(open: ReadonlyMap<string, Style>): string {
  return [...new Set([...open.values()].map(({ closing }) => closing))].reverse().join("");
}

function apply(sequence: string, open: Map<string, Style>): void {
  const code = /\d+/.exec(sequence)?.[0] ?? "0";
  const closing = CLOSING[code] ?? colorClosing(Number(code));
  if (closing !== undefined) {
    const isColor = closing === "39" || closing === "49";
    open.delete(isColor ? closing : code);
    open.set(isColor ? closing : code, { opening: sequence, closing: `\u001b[${closing}m` });
    return;
  }
  for (const [key, style] of open) if (code === "0" || style.closing === `\u001b[${code}m`) open.delete(key);
}

const CLOSING: Readonly<Record<string, string>> = {
  1: "22",
  2: "22",
  3: "23",
  4: "24",
  7: "27",
  9: "29",
};

function colorClosing(code: number): "39" | "49" | undefined {
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return "39";
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return "49";
  return undefined;
}
