/** How a stretch of cells looks; colours as #rrggbb, undefined where the terminal's own are meant. */
type Look = {
  front?: string | undefined;
  back?: string | undefined;
  isBold?: boolean;
  isDim?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isStruck?: boolean;
  isReversed?: boolean;
};
/** `column` and `width` count cells. */
type Run = { text: string; column: number; width: number; look: Look };

export type ScreenSize = { columns: number; rows: number };

const CELL = { width: 8.4, height: 19, base: 14 };
const MARGIN = 14;
const PAPER = "#16181d";
const INK = "#d8dce4";
const FONT = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";
const PALETTE = [
  ...["#3b4048", "#f07178", "#8cc570", "#e5c07b", "#6cb2f7", "#c792ea", "#56c8d8", "#d8dce4"],
  ...["#7a828f", "#ff8b92", "#a5e075", "#ffd68a", "#8fc8ff", "#dbaaf8", "#7fe0ee", "#ffffff"],
];

/**
 * A picture of a screen: rows of text with colour sequences, as `tmux capture-pane -e` prints them. Empty rows at the end
 * are left out. Every stretch has its place and length, so that the columns stand with any font.
 */
export function screenSvg(captured: string, title: string, { columns, rows }: ScreenSize): string {
  const lines = runsOf(captured.trimEnd()).slice(0, rows);
  const width = short(columns * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>`,
    `<g font-family="${FONT}" font-size="14" fill="${INK}" xml:space="preserve">`,
    ...lines.flatMap((runs, row) => runs.flatMap((run) => drawn(run, row))),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function drawn({ text, column, width, look }: Run, row: number): string[] {
  const { front, back } = look.isReversed
    ? { front: look.back ?? PAPER, back: look.front ?? INK }
    : { front: look.front, back: look.back };
  const x = short(MARGIN + column * CELL.width);
  const top = MARGIN + row * CELL.height;
  const length = short(width * CELL.width);
  const ground = back
    ? [`<rect x="${x}" y="${top}" width="${length}" height="${CELL.height}" fill="${back}"/>`]
    : [];
  if (text.trim() === "") return ground;
  const lines = [look.isUnderlined ? "underline" : "", look.isStruck ? "line-through" : ""].join(" ").trim();
  const attributes = [
    `x="${x}" y="${top + CELL.base}" textLength="${length}"`,
    front ? `fill="${front}"` : "",
    look.isBold ? 'font-weight="bold"' : "",
    look.isItalic ? 'font-style="italic"' : "",
    look.isDim ? 'opacity="0.6"' : "",
    lines === "" ? "" : `text-decoration="${lines}"`,
  ];
  return [...ground, `<text ${attributes.filter((text) => text !== "").join(" ")}>${escaped(text)}</text>`];
}

/** Each row as stretches of one look. Plain blanks are not a stretch, and end the one before when there are two or more. */
function runsOf(captured: string): Run[][] {
  let look: Look = {};
  return captured.split("\n").map((line) => {
    const runs: Run[] = [];
    let column = 0;
    for (const [piece, codes] of line.matchAll(/\u001b\[([0-9;:]*)m|[^\u001b]+/g)) {
      if (codes !== undefined) {
        look = lookAfter(look, codes);
        continue;
      }
      for (const text of piece.split(/( {2,})/).filter((part) => part !== "")) {
        const width = Bun.stringWidth(text);
        const isBlank = text.trim() === "" && !look.back && !look.isReversed && !look.isUnderlined;
        if (!isBlank) runs.push({ text, column, width, look });
        column += width;
      }
    }
    return runs;
  });
}

function lookAfter(before: Look, codes: string): Look {
  let look = before;
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      const [color, used] = extendedColor(numbers.slice(at + 1));
      look = code === 38 ? { ...look, front: color } : { ...look, back: color };
      at += used;
    } else {
      look = code === 0 ? {} : { ...look, ...change(code) };
    }
  }
  return look;
}

function change(code: number): Look {
  if (code >= 30 && code <= 37) return { front: PALETTE[code - 30] };
  if (code >= 90 && code <= 97) return { front: PALETTE[code - 82] };
  if (code >= 40 && code <= 47) return { back: PALETTE[code - 40] };
  if (code >= 100 && code <= 107) return { back: PALETTE[code - 92] };
  return SIMPLE[code] ?? {};
}

const SIMPLE: Readonly<Record<number, Look>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isReversed: true },
  9: { isStruck: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isReversed: false },
  29: { isStruck: false },
  39: { front: undefined },
  49: { back: undefined },
};

/** The colour after 38 or 48, and how many numbers it took. */
function extendedColor(rest: readonly number[]): [color: string | undefined, used: number] {
  const [kind, a = 0, b = 0, c = 0] = rest;
  if (kind === 2) return [hex(a, b, c), 4];
  if (kind !== 5) return [undefined, 0];
  if (a < 16) return [PALETTE[a], 2];
  if (a >= 232) return [hex(...gray(8 + (a - 232) * 10)), 2];
  const step = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  const cube = a - 16;
  return [hex(step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6)), 2];
}

function gray(level: number): [number, number, number] {
  return [level, level, level];
}

function hex(...parts: readonly [number, number, number]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function short(length: number): number {
  return Math.round(length * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
