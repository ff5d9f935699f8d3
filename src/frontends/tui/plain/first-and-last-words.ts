import { terminalSafe } from "../../../util/untrusted-text.ts";
import { farewellText } from "../live-view.ts";
import type { Thread } from "../threads.ts";
import { makeTheme } from "../view/theme.ts";

const THEME = makeTheme({ level: 0, isUnicode: false, hasStyles: false });
/** Nothing is cut: the terminal wraps lines itself. */
const WIDE = 1_000;

/** Where a conversation is held, and with what. */
export function firstWords({ facts }: Pick<Thread<unknown>, "facts">): string {
  return facts.header(WIDE, THEME).join("\n");
}

/** What it took, and how to go on with it. */
export function lastWords(
  { facts, progress }: Pick<Thread<unknown>, "facts" | "progress">,
  durationMs: number,
): string {
  return terminalSafe(farewellText(progress, { durationMs, ...facts.farewell() }, THEME));
}
