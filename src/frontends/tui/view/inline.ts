import { safe, safeLine } from "./text.ts";
import type { Theme } from "./theme.ts";

const MARKUP = /[\\`*_~[\]<&]|https?:/;
// Bun.markdown reads blocks. A first word that begins none, and marks instead of line ends, keep the text one paragraph;
// `safe` has taken these characters out of what is drawn.
const FIRST_WORD = "\u0001";
const LINE_END = "\u0002";
const INDENT = "\u0004";
/** Stands for `**` that opened or closed nothing. */
const STARS = "\u0003";
// Stand for stars and underscores that a writer of a formula or of `__init__` meant as such. No control characters, as
// they may be part of an address.
const STAR = "\ufdd0";
const UNDERSCORES = "\ufdd1";
const OPTIONS = { noHtmlBlocks: true, autolinks: { url: true } };

/** Emphasis, code and links of a safe text. What is not closed stays as it was written; line ends stay line ends. */
export function inline(text: string, theme: Theme): string {
  if (!MARKUP.test(text)) return text;
  const source = `${FIRST_WORD} ${prepared(text)}`;
  const rendered = Bun.markdown.render(
    source,
    {
      text: (part) => (part === "**" ? STARS : drawn(part)),
      strong: theme.bold,
      emphasis: theme.italic,
      strikethrough: theme.strike,
      codespan: (part) => theme.code(drawn(part)),
      link: (label, { href }) => link(label, href, theme),
      image: (label, { src }) => link(label, src, theme),
    },
    OPTIONS,
  );
  return paired(rendered.slice(1), theme);
}

/** Markup that is not closed yet is closed for now: the end of a text that is still being written. */
export function closedForNow(text: string): string {
  const shown = text.replace(/(^|\s)\*{1,2}$/, "$1");
  if (count(shown, /`/g) % 2 === 1) return `${shown}\``;
  if (count(shown, /\*\*/g) % 2 === 0) return shown;
  return /\*\*$/.test(shown) ? shown.slice(0, -2) : `${shown.replace(/\*$/, "")}**`;
}

/** Does no emphasis, code or link reach over the end of this text? */
export function isClosed(text: string): boolean {
  const pairs = [/`/g, /\*/g, /~~/g].every((mark) => count(text, mark) % 2 === 0);
  return pairs && count(text, /\[/g) === count(text, /\]/g);
}

function prepared(text: string): string {
  return text
    .replace(/(?<=[a-z\d)\]])\*(?=[a-z\d(])/gi, STAR)
    .replace(/(?<!\w)__([a-z][a-z\d_]*)__(?!\w)/g, `${UNDERSCORES}$1${UNDERSCORES}`)
    .replace(/<br ?\/?>/gi, "\n")
    .replace(/\n( *)/g, (_, spaces: string) => ` ${LINE_END}${INDENT.repeat(spaces.length)} `);
}

function restored(text: string): string {
  return text.replaceAll(STAR, "*").replaceAll(UNDERSCORES, "__");
}

/** An entity may stand for a control character, so that what Bun has read is cleaned once more. */
function drawn(part: string): string {
  const lines = part.replace(/ *\u0002(\u0004*) */g, (_, spaces: string) => `\n${" ".repeat(spaces.length)}`);
  return safe(restored(lines));
}

function link(label: string, address: string, theme: Theme): string {
  const shown = safeLine(restored(address));
  const name = Bun.stripANSI(label);
  if (name === "") return theme.underline(shown);
  return name === shown ? theme.underline(label) : `${label} ${theme.dim(`(${shown})`)}`;
}

/** The rule about punctuation beside `**` leaves `**Note:**text` alone; a writer meant it bold. */
function paired(text: string, theme: Theme): string {
  if (!text.includes(STARS)) return text;
  return text
    .replace(/\u0003([^\s\u0003](?:[^\u0003\n]*[^\s\u0003])?)\u0003/g, (_, inner: string) =>
      theme.bold(inner),
    )
    .replaceAll(STARS, "**");
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
