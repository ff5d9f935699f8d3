import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { checkSkill, type SkillProblem } from "../../../extensions/skills/check.ts";
import { scanSkills } from "../../../extensions/skills/scan.ts";
import type { ExitCode, Io } from "../../../protocol/program.ts";
import { parseArgs } from "../../../util/args.ts";
import { AppError } from "../../../util/errors.ts";
import { helpText } from "../../../util/help.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { VALIDATE } from "./options.ts";
import { seenSkills } from "./seen.ts";

export async function validateSkills(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs(VALIDATE, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(VALIDATE));
    return 0;
  }
  const files =
    parsed.positionals.length === 0
      ? (await seenSkills(parsed, io)).skills.map(({ path }) => path)
      : (await Promise.all(parsed.positionals.map((path) => filesAt(resolve(io.cwd, path))))).flat();
  const problems = (await Promise.all(files.map(checkSkill))).flat();
  const isMistake = ({ level }: SkillProblem) => level === "error" || parsed.has("strict");
  const mistakes = problems.filter(isMistake).length;
  const text = parsed.has("json")
    ? `${JSON.stringify({ skills: files, problems }, undefined, 2)}\n`
    : `${problems.map((one) => lineOf(one, io.cwd)).join("")}${summary(files.length, mistakes, problems.length - mistakes)}`;
  await io.stdout.write(terminalSafe(text));
  return mistakes === 0 ? 0 : 1;
}

async function filesAt(path: string): Promise<string[]> {
  const facts = await stat(path).catch((cause: unknown) => {
    throw new AppError("config", `${path} could not be read`, { cause, hint: "check the path" });
  });
  if (!facts.isDirectory()) return [path];
  const own = join(path, "SKILL.md");
  if (await Bun.file(own).exists()) return [own];
  const { files } = scanSkills({ path, scope: "user" });
  if (files.length > 0) return files;
  throw new AppError("config", `there is no SKILL.md in ${path}, nor in a folder below it`, {
    hint: "name a SKILL.md, its folder, or a folder of skills",
  });
}

function lineOf({ file, line, column, level, message }: SkillProblem, cwd: string): string {
  const near = relative(cwd, file);
  const shown = near.startsWith("..") ? file : near;
  return `${shown}:${line}${column === undefined ? "" : `:${column}`}: ${level}: ${message}\n`;
}

function summary(skills: number, mistakes: number, warnings: number): string {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  if (mistakes + warnings === 0) return `${count(skills, "skill")}: fine\n`;
  return `${count(skills, "skill")}: ${count(mistakes, "mistake")}, ${count(warnings, "warning")}\n`;
}
