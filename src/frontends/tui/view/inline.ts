import type { Theme } from "./theme.ts";

/** Emphasis, code and links inside a line of Markdown. What is not closed stays as it was written. */
export function inline(text: string, theme: Theme): string {
  return text
    .split(/(`+[^`]+`+)/)
    .map((part) =>
      part.startsWith("`") && part.endsWith("`") && part.length > 2
        ? theme.code(part.replace(/^`+|`+$/g, ""))
        : styled(part, theme),
    )
    .join("");
}

function styled(text: string, theme: Theme): string {
  return text
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, url: string) =>
      label === url ? theme.underline(url) : `${label} ${theme.dim(`(${url})`)}`,
    )
    .replace(/\*\*(\S(?:[\s\S]*?\S)?)\*\*/g, (_, inner: string) => theme.bold(inner))
    .replace(
      /(^|[\s(])\*(\S(?:[^*]*?\S)?)\*(?=$|[\s).,;:!?])/g,
      (_, before: string, inner: string) => before + theme.italic(inner),
    )
    .replace(
      /(^|[\s(])_(\S(?:[^_]*?\S)?)_(?=$|[\s).,;:!?])/g,
      (_, before: string, inner: string) => before + theme.italic(inner),
    );
}
