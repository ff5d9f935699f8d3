import type { ListedSkill } from "../../../extensions/skills/find.ts";
import type { ExitCode, Io } from "../../../protocol/program.ts";
import { parseArgs } from "../../../util/args.ts";
import { helpText } from "../../../util/help.ts";
import { NAME } from "../../../util/package.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { LIST } from "./options.ts";
import { seenSkills } from "./seen.ts";

export async function showSkills(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs(LIST, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(LIST));
    return 0;
  }
  const { skills } = await seenSkills(parsed, io);
  const wanted = skills.filter(
    (skill) => parsed.has("all") || (skill.isEnabled && skill.hiddenBy === undefined),
  );
  const text = parsed.has("json")
    ? `${JSON.stringify(wanted.map(asJson), undefined, 2)}\n`
    : wanted.length === 0
      ? `No skills. '${NAME} skills new NAME' makes one.\n`
      : wanted.map(lineOf).join("");
  await io.stdout.write(terminalSafe(text));
  return 0;
}

/** The form that --json prints. */
export function asJson(skill: ListedSkill) {
  const { name, description, path, scope, short } = skill;
  return {
    name,
    description,
    ...(short === undefined ? {} : { short_description: short }),
    path,
    scope,
    enabled: skill.isEnabled,
    model_may_choose: skill.isUnlisted !== true,
    hidden_by: skill.hiddenBy ?? null,
  };
}

function lineOf(skill: ListedSkill): string {
  const { name, description, path, hiddenBy } = skill;
  const notes = [
    skill.scope,
    ...(skill.isEnabled ? [] : ["switched off"]),
    ...(hiddenBy === undefined ? [] : [`not used: ${hiddenBy} is nearer`]),
    ...(skill.isUnlisted ? ["only when you name it"] : []),
  ];
  return `${name}  (${notes.join(", ")})\n  ${skill.short ?? description}\n  ${path}\n`;
}
