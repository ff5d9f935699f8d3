import { overridesFrom, type RunOption } from "../../../config/flags.ts";
import { type LoadedConfig, loadConfig } from "../../../config/load.ts";
import { skillPlaces } from "../../../core/session/skills.ts";
import { type ListedSkill, listSkills } from "../../../extensions/skills/find.ts";
import type { Io } from "../../../protocol/program.ts";
import type { Parsed } from "../../../util/args.ts";
import { AppError } from "../../../util/errors.ts";
import { nearest } from "../../../util/nearest.ts";
import { NAME } from "../../../util/package.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";

export type SeenSkills = { config: LoadedConfig; skills: ListedSkill[] };

/** The skills that are seen from this folder. Warnings go to stderr. */
export async function seenSkills(
  parsed: Pick<Parsed<RunOption>, "has" | "value" | "values">,
  io: Io,
): Promise<SeenSkills> {
  const config = await loadedConfig(parsed, io);
  const { skills, warnings } = await listSkills(await skillPlaces(config, io.cwd, io.env));
  for (const warning of [...config.warnings, ...warnings])
    await io.stderr.write(`warning: ${terminalSafe(warning)}\n`);
  return { config, skills };
}

export function loadedConfig(
  parsed: Pick<Parsed<RunOption>, "has" | "value" | "values">,
  io: Io,
): Promise<LoadedConfig> {
  const overrides = overridesFrom({ ...parsed, positionals: [], wantsHelp: false }, io.cwd);
  return loadConfig({ env: io.env, cwd: io.cwd, overrides, profile: parsed.value("profile") });
}

/** The skill that a session would use under this name. Throws AppError "config". */
export function skillNamed(skills: readonly ListedSkill[], name: string): ListedSkill {
  const wanted = name.replace(/^\$/, "");
  const found = skills.find((one) => one.name === wanted && one.hiddenBy === undefined);
  if (found) return found;
  const near = nearest(
    wanted,
    skills.map((one) => one.name),
    3,
  );
  throw new AppError("config", `there is no skill "${wanted}"`, {
    hint: `${near === undefined ? "" : `did you mean ${near}? `}'${NAME} skills list' shows the ones that exist`,
  });
}
