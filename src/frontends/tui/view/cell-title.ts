import type { CellOptions } from "./cell-options.ts";
import { fit, safeLine } from "./text.ts";

/** `text` is safe and one line. `facts` stand at the right: how it ended. */
export type Title = { text: string; facts?: readonly string[]; hasFailed?: boolean };

/** The first row of a cell. That something failed is told by its facts; the colour only underlines it. */
export function titleRow({ text, facts = [], hasFailed = false }: Title, options: CellOptions): string {
  const { width, theme, agent } = options;
  const { bullet, dot } = theme.marks;
  const paint = hasFailed ? theme.error : theme.dim;
  const mark = hasFailed ? theme.error(bullet) : bullet;
  const all = [...(agent === undefined ? [] : [`agent ${safeLine(agent)}`]), ...facts];
  return fit(`${mark} ${text}`, all.length > 0 ? paint(all.join(` ${dot} `)) : "", width);
}
