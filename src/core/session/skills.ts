import type { LoadedConfig } from "../../config/load.ts";
import { bundledSkills } from "../../extensions/skills/bundled.ts";
import { skillCatalog } from "../../extensions/skills/catalog.ts";
import { type FoundSkills, findSkills } from "../../extensions/skills/find.ts";
import { mentionedSkills } from "../../extensions/skills/mentions.ts";
import type { SkillPlaces } from "../../extensions/skills/places.ts";
import { LONGEST_SKILL } from "../../extensions/skills/scan.ts";
import { developerText, type Item, type Part, textOf, userText } from "../../protocol/items.ts";
import type { SkillEntry } from "../../tools/types.ts";
import { readOrdinaryText } from "../../util/fs.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The skills for a session in this folder, as the configuration allows. */
export async function sessionSkills(
  config: LoadedConfig,
  cwd: string,
  env: Env,
  mayWrite: boolean,
): Promise<FoundSkills> {
  return findSkills(await skillPlaces(config, cwd, env, mayWrite));
}

/** Where skills are looked for. Writes our own where they are not yet, if that is allowed. */
export async function skillPlaces(
  config: LoadedConfig,
  cwd: string,
  env: Env,
  mayWrite = true,
): Promise<SkillPlaces> {
  const { bundled, config: rules } = config.values.skills;
  return {
    home: config.home,
    personHome: env["HOME"],
    cwd,
    projectRoot: config.projectRoot,
    isTrusted: config.trust === "trusted",
    rules,
    ...(bundled.enabled ? { bundled: await bundledSkills(config.home, mayWrite) } : {}),
  };
}

/** The user's own and the project's. */
export function withoutBundled(skills: readonly SkillEntry[]): SkillEntry[] {
  return skills.filter(({ isBundled }) => !isBundled);
}

/** What a model without a list of its own is told of the skills; nothing when there are none. */
export function skillsText(
  skills: readonly SkillEntry[],
  { contextWindow, tool }: { contextWindow: number; tool: string | undefined },
): { item?: Item; warning?: string } {
  const { text, warning } = skillCatalog(skills, { contextWindow, paths: tool === undefined });
  if (text === "") return warning === undefined ? {} : { warning };
  const how =
    tool === undefined
      ? "read its SKILL.md first, whole, and then only those files beside it that it sends you to."
      : `call ${tool} with its name first.`;
  const lines = [
    "<skills>",
    `Skills are instructions for kinds of work. When the user names one, or the task is what one is for, ${how}`,
    text,
    "</skills>",
  ];
  return { item: developerText(lines.join("\n")), ...(warning === undefined ? {} : { warning }) };
}

const LONGEST_MENTION = 8000;

/** The instructions of the skills that the user's words name as `$name`. */
export async function mentionedItems(skills: readonly SkillEntry[], input: readonly Part[]): Promise<Item[]> {
  const items: Item[] = [];
  for (const { name, path } of mentionedSkills(textOf(input), skills)) {
    const text = await readOrdinaryText(path, LONGEST_SKILL);
    if (text === undefined) continue;
    const shown =
      text.length <= LONGEST_MENTION ? text : `${text.slice(0, LONGEST_MENTION)}\n[the rest is in ${path}]`;
    items.push(userText(`<skill name="${name}" path="${path}">\n${shown.trim()}\n</skill>`));
  }
  return items;
}
