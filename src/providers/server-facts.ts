import { listOf, textIn } from "../util/json.ts";
import { terminalSafe } from "../util/untrusted-text.ts";

// What servers say of themselves and their models, where it can be believed.

/** The names of files may be whole paths. */
const LONGEST_NAME = 500;

/**
 * The name of a model. It is sent back as it is, so one that can't be shown as it is has no use: undefined, as for what is
 * no name at all.
 */
export function nameIn(value: unknown): string | undefined {
  const name = textIn(value);
  if (name === undefined || name.length > LONGEST_NAME) return undefined;
  return terminalSafe(name) === name && !/[\t\n]/.test(name) ? name : undefined;
}

const LONGEST_LABEL = 80;

/** A version or a title, made fit for one line. */
export function labelIn(value: unknown): string | undefined {
  const text = textIn(value);
  // The rest of a text that is far too long need not be looked at.
  const shown =
    text &&
    terminalSafe(text.slice(0, 10 * LONGEST_LABEL))
      .replace(/\s+/g, " ")
      .trim();
  return shown ? shown.slice(0, LONGEST_LABEL) : undefined;
}

/** A size of a context window; undefined for a number that can be none. */
export function tokensIn(value: unknown): number | undefined {
  return isWhole(value, 512, 1e8) ? value : undefined;
}

/** A size of a file. */
export function bytesIn(value: unknown): number | undefined {
  return isWhole(value, 0, 1e15) ? value : undefined;
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

/** What a model can do; undefined where the server does not say. */
export function abilitiesIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return listOf(value).flatMap((ability) => nameIn(ability) ?? []);
}
