import type { SkillEntry } from "../../tools/types.ts";

/** The skills that a text names as `$name`. What is only the beginning of a longer word is no mention. */
export function mentionedSkills(text: string, skills: readonly SkillEntry[]): SkillEntry[] {
  const names = new Set(
    [...text.matchAll(/(?<![\w$\\])\$([A-Za-z0-9][\w:.-]*)/g)].flatMap(([, name]) => ends(name)),
  );
  return skills.filter(({ name }) => names.has(name));
}

/** A full stop at the end belongs to the sentence. */
function ends(name = ""): string[] {
  return [name, name.replace(/[.:-]+$/, "")];
}
