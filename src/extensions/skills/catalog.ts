import type { SkillEntry } from "../../tools/types.ts";

/** Of the model's window, the list of skills may take this much. */
const SHARE_OF_WINDOW = 0.02;
const CHARACTERS_PER_TOKEN = 4;
const SHORTEST_DESCRIPTION = 20;
/** Our own skills cost a smaller window more than they bring; there, the user names them. Tokens. */
const WINDOW_FOR_BUNDLED = 64_000;

export type Catalog = { text: string; warning?: string };

/**
 * One line for each skill, within the budget: long descriptions are cut first, then left out, then the last skills. Ours
 * come last, and only where they fit. `contextWindow` in tokens. `paths`: say where each one is, for models that read the
 * files themselves.
 */
export function skillCatalog(
  skills: readonly SkillEntry[],
  { contextWindow, paths }: { contextWindow: number; paths: boolean },
): Catalog {
  const most = Math.floor(contextWindow * SHARE_OF_WINDOW * CHARACTERS_PER_TOKEN);
  const listed = skills.filter(({ isUnlisted }) => !isUnlisted);
  const own = listed.filter(({ isBundled }) => !isBundled);
  const lines = (longest: number) => own.map((skill) => lineOf(skill, longest, paths));
  const longest = longestThatFits(own, (length) => sizeOf(lines(length)) <= most);
  const all = lines(longest);
  const shown = fitting(all, most);
  const warning = warningFor(own, longest, all.length - shown.length);
  const ours = contextWindow < WINDOW_FOR_BUNDLED ? [] : listed.filter(({ isBundled }) => isBundled);
  const last = fitting(
    ours.map((skill) => lineOf(skill, skill.description.length, paths)),
    most - sizeOf(shown),
  );
  return { text: [...shown, ...last].join("\n"), ...(warning === undefined ? {} : { warning }) };
}

function lineOf({ name, description, path }: SkillEntry, longest: number, paths: boolean): string {
  const cut = longest === 0 ? "" : shortened(description, longest);
  return `- ${name}${cut === "" ? "" : `: ${cut}`}${paths ? ` (${path})` : ""}`;
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 3).trimEnd()}...`;
}

function longestThatFits(skills: readonly SkillEntry[], fits: (length: number) => boolean): number {
  const whole = Math.max(0, ...skills.map(({ description }) => description.length));
  let length = whole;
  while (length >= SHORTEST_DESCRIPTION && !fits(length)) length = Math.floor(length * 0.8);
  return length >= SHORTEST_DESCRIPTION || fits(length) ? length : 0;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((total, line) => total + line.length + 1, 0);
}

function fitting(lines: readonly string[], most: number): string[] {
  let left = most;
  return lines.filter((line) => {
    left -= line.length + 1;
    return left >= 0;
  });
}

function warningFor(skills: readonly SkillEntry[], longest: number, leftOut: number): string | undefined {
  if (leftOut > 0)
    return `${leftOut} of ${skills.length} skills are not shown to the model: its window is too small for the list`;
  const cut = skills.filter(({ description }) => description.length > longest).length;
  return cut === 0 ? undefined : `the descriptions of ${cut} skills were shortened to fit the model's window`;
}
