import type { SkillEntry } from "../../tools/types.ts";

/**
 * The skills that a text names as `$name` or links as `[$name](path)`. What is only the beginning of a longer word is no
 * mention; a link means the skill at that path, whatever else has its name.
 */
export function mentionedSkills(text: string, skills: readonly SkillEntry[]): SkillEntry[] {
  const paths = new Set<string>();
  const bare = text.replaceAll(/\[\$[^\]\n]*\]\(([^)\n]+)\)/g, (link, path: string) => {
    if (!skills.some((skill) => isAt(skill, path))) return link;
    paths.add(path);
    return " ";
  });
  const names = new Set(
    [...bare.matchAll(/(?<![\w$\\])\$([A-Za-z0-9][\w:.-]*)/g)]
      .flatMap(([, name]) => ends(name))
      .filter((name) => !VARIABLES.has(name)),
  );
  return skills.filter((skill) => names.has(skill.name) || [...paths].some((path) => isAt(skill, path)));
}

/** Who writes these means the variable, whatever a skill is called. */
const VARIABLES: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "SHELL",
  "PWD",
  "OLDPWD",
  "TMPDIR",
  "TEMP",
  "TMP",
  "LANG",
  "TERM",
  "EDITOR",
]);

function isAt(skill: SkillEntry, path: string): boolean {
  return skill.path === path || skill.path === `${path.replace(/\/$/, "")}/SKILL.md`;
}

/** A full stop at the end belongs to the sentence. */
function ends(name = ""): string[] {
  return [name, name.replace(/[.:-]+$/, "")];
}
