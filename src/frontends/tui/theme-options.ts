import type { ThemeOptions } from "./view/theme.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the environment says about colours and characters. */
export function themeOptions(env: Env): ThemeOptions {
  return { level: colorLevel(env), isUnicode: isUnicode(env) };
}

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
