import type { ThemeOptions } from "./view/theme.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the environment says about colours and characters; `isColorless`: what an option says about colours. */
export function themeOptions(env: Env, isColorless = false): ThemeOptions {
  return { level: isColorless ? 0 : colorLevel(env), isUnicode: isUnicode(env) };
}

/** Is the background light, by a terminal's answer to the question for it (OSC 11)? Undefined for another answer. */
export function isLightBackground(reply: string): boolean | undefined {
  const found = /\u001b\]11;rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(reply);
  if (!found) return undefined;
  const [red = 0, green = 0, blue = 0] = found
    .slice(1)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}

export const ASK_BACKGROUND = "\u001b]11;?\u0007";

function colorLevel(env: Env): ThemeOptions["level"] {
  if (env["NO_COLOR"]) return 0;
  const forced = env["FORCE_COLOR"];
  if (forced === "0" || forced === "false") return 0;
  if (forced === "1" || forced === "2" || forced === "3") return forced === "1" ? 1 : forced === "2" ? 2 : 3;
  const term = env["TERM"] ?? "";
  if (term === "dumb") return 0;
  if (/truecolor|24bit/i.test(env["COLORTERM"] ?? "")) return 3;
  return /256/.test(term) ? 2 : 1;
}

/** A locale that is not UTF-8 gets ASCII marks; one that is not set says nothing. */
function isUnicode(env: Env): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return locale === "" || /utf-?8/i.test(locale);
}
