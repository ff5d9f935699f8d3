import { Chalk } from "chalk";

export type Paint = (text: string) => string;
export type Marks = {
  prompt: string;
  bullet: string;
  ok: string;
  failed: string;
  asks: string;
  working: string;
  steer: string;
  dot: string;
  minus: string;
  more: string;
};
/** Every look of the interface by its role. */
export type Theme = {
  user: Paint;
  heading: Paint;
  bold: Paint;
  italic: Paint;
  underline: Paint;
  dim: Paint;
  error: Paint;
  warning: Paint;
  ok: Paint;
  added: Paint;
  removed: Paint;
  code: Paint;
  accent: Paint;
  danger: Paint;
  marks: Marks;
};
export type ThemeOptions = { level: 0 | 1 | 2 | 3; isLight?: boolean; isUnicode?: boolean };

/** Level 0 has no colours; bold, dim and underline stay, as they are no colours. */
export function makeTheme({ level, isLight = false, isUnicode = true }: ThemeOptions): Theme {
  const color = new Chalk({ level });
  const style = new Chalk({ level: 1 });
  return {
    user: style.bold,
    heading: style.bold,
    bold: style.bold,
    italic: style.italic,
    underline: style.underline,
    dim: style.dim,
    error: color.red,
    warning: isLight ? color.magenta : color.yellow,
    ok: color.green,
    added: color.green,
    removed: color.red,
    code: isLight ? color.blue : color.cyan,
    accent: isLight ? color.blue : color.cyan,
    danger: (text) => style.bold(color.red(text)),
    marks: isUnicode ? UNICODE : ASCII,
  };
}

const UNICODE: Marks = {
  prompt: "›",
  bullet: "•",
  ok: "✓",
  failed: "✗",
  asks: "▲",
  working: "●",
  steer: "↳",
  dot: "·",
  minus: "−",
  more: "…",
};
const ASCII: Marks = {
  prompt: ">",
  bullet: "*",
  ok: "+",
  failed: "x",
  asks: "!",
  working: "*",
  steer: "->",
  dot: "-",
  minus: "-",
  more: "...",
};
