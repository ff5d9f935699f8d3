const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** What a reader sees of a page: HTML without its markup, links with their addresses, anything else as it is. */
export function pageText(text: string, type: string): string {
  if (!/html/i.test(type)) return text;
  const marked = text
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<(script|style|noscript|template|svg|head)\b[\s\S]*?<\/\1\s*>/gi, "")
    .replace(/<a\b[^>]*\bhref\s*=\s*"(https?:[^"]+)"[^>]*>([\s\S]*?)<\/a\s*>/gi, "$2 ($1)")
    .replace(/<h([1-6])\b[^>]*>/gi, (_, level: string) => `\n\n${"#".repeat(Number(level))} `)
    .replace(/<li\b[^>]*>/gi, "\n- ")
    .replace(/<\/t[dh]\s*>/gi, "\t")
    .replace(/<(?:br|hr)\b[^>]*>/gi, "\n")
    .replace(
      /<\/?(?:p|div|section|article|table|tr|ul|ol|pre|blockquote|h[1-6]|header|footer|main|nav)\b[^>]*>/gi,
      "\n",
    )
    .replace(/<[^>]*>/g, "");
  return decoded(marked)
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi,
    (whole, hex?: string, dec?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(dec) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
