import { Chalk, type ChalkInstance } from "chalk";

export type Paint = (text: string) => string;
export type Marks = {
  prompt: string;
  /** The prompt while nothing can be sent yet. */
  early: string;
  bullet: string;
  ok: string;
  failed: string;
  warning: string;
  asks: string;
  working: string;
  steer: string;
  dot: string;
  minus: string;
  more: string;
  current: string;
  arrow: string;
  /** Stands for a line end inside one row. */
  newline: string;
  /** Left of quoted text. */
  bar: string;
  line: string;
  /** There is more above or below. */
  scroll: string;
  /** Between two parts of a diff. */
  gap: string;
  spinner: readonly string[];
};
/** Every look of the interface by its role. */
export type Theme = {
  user: Paint;
  heading: Paint;
  bold: Paint;
  italic: Paint;
  underline: Paint;
  strike: Paint;
  dim: Paint;
  error: Paint;
  warning: Paint;
  ok: Paint;
  added: Paint;
  removed: Paint;
  /** The words that differ inside a changed line. */
  addedWord: Paint;
  removedWord: Paint;
  code: Paint;
  keyword: Paint;
  string: Paint;
  number: Paint;
  comment: Paint;
  accent: Paint;
  danger: Paint;
  marks: Marks;
};
export type ThemeOptions = {
  /** Colours: none, 16, 256, all. */
  level: 0 | 1 | 2 | 3;
  isLight?: boolean;
  isUnicode?: boolean;
  /** False where not even bold may be written. */
  hasStyles?: boolean;
};

/** Level 0 has no colours; bold, dim and underline stay, as they are not colours. */
export function makeTheme({
  level,
  isLight = false,
  isUnicode = true,
  hasStyles = true,
}: ThemeOptions): Theme {
  const style = new Chalk({ level: hasStyles ? 1 : 0 });
  const color = colorsOf(new Chalk({ level: hasStyles ? level : 0 }), level, isLight);
  return {
    user: style.bold,
    heading: style.bold,
    bold: style.bold,
    italic: style.italic,
    underline: style.underline,
    strike: style.strikethrough,
    dim: style.dim,
    error: color.red,
    warning: color.yellow,
    ok: color.green,
    added: color.green,
    removed: color.red,
    addedWord: (text) => style.bold(style.underline(text)),
    removedWord: (text) => style.bold(style.underline(text)),
    code: color.cyan,
    keyword: color.purple,
    string: color.green,
    number: color.yellow,
    comment: style.dim,
    accent: color.cyan,
    danger: (text) => style.bold(color.red(text)),
    marks: isUnicode ? UNICODE : ASCII,
  };
}

type Colors = Readonly<Record<"red" | "yellow" | "green" | "cyan" | "purple", Paint>>;

/**
 * With 16 colours the terminal's own palette decides, so the ones that are hard to read on a light background are left
 * out. With more, the shades have a contrast of at least 4.5 to 1 on white or on black.
 */
function colorsOf(chalk: ChalkInstance, level: number, isLight: boolean): Colors {
  if (level < 2) {
    return {
      red: chalk.red,
      yellow: isLight ? chalk.magenta : chalk.yellow,
      green: chalk.green,
      cyan: isLight ? chalk.blue : chalk.cyan,
      purple: chalk.magenta,
    };
  }
  const [red, yellow, green, cyan, purple] = isLight ? [124, 94, 22, 24, 90] : [203, 179, 114, 80, 176];
  return {
    red: chalk.ansi256(red),
    yellow: chalk.ansi256(yellow),
    green: chalk.ansi256(green),
    cyan: chalk.ansi256(cyan),
    purple: chalk.ansi256(purple),
  };
}

const UNICODE: Marks = {
  prompt: "›",
  early: "·",
  bullet: "•",
  ok: "✓",
  failed: "✗",
  warning: "!",
  asks: "▲",
  working: "●",
  steer: "↳",
  dot: "·",
  minus: "−",
  more: "…",
  current: "▸",
  arrow: "→",
  newline: "⏎",
  bar: "│",
  line: "─",
  scroll: "⋮",
  gap: "⋮",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};
const ASCII: Marks = {
  prompt: ">",
  early: ".",
  bullet: "*",
  ok: "+",
  failed: "x",
  warning: "!",
  asks: "!",
  working: "*",
  steer: "->",
  dot: "-",
  minus: "-",
  more: "...",
  current: ">",
  arrow: "->",
  newline: "/",
  bar: "|",
  line: "-",
  scroll: ":",
  gap: ":",
  spinner: ["|", "/", "-", "\\"],
};
