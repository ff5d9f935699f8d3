import { dirname, relative } from "node:path";
import { splitSkill } from "../../../extensions/skills/front-matter.ts";
import { entriesBeside, LONGEST_SKILL } from "../../../extensions/skills/scan.ts";
import type { ExitCode, Io } from "../../../protocol/program.ts";
import { parseArgs, usageError } from "../../../util/args.ts";
import { AppError, toAppError } from "../../../util/errors.ts";
import { requireOrdinaryText } from "../../../util/fs.ts";
import { helpText } from "../../../util/help.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { asJson } from "./list.ts";
import { SHOW } from "./options.ts";
import { seenSkills, skillNamed } from "./seen.ts";

export async function showSkill(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs(SHOW, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(SHOW));
    return 0;
  }
  const [name, ...more] = parsed.positionals;
  if (name === undefined || more.length > 0) throw usageError(SHOW, "wanted the name of one skill");
  const skill = skillNamed((await seenSkills(parsed, io)).skills, name);
  const text = await requireOrdinaryText(skill.path, LONGEST_SKILL).catch((cause: unknown) => {
    const why = toAppError(cause).message;
    throw new AppError("config", `${skill.path} could not be read: ${why}`, { cause });
  });
  const { body } = splitSkill(text);
  const files = await filesBeside(skill.path);
  if (parsed.has("json")) {
    const value = { ...asJson(skill), files, instructions: body };
    await io.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
    return 0;
  }
  const { scope, path, description } = skill;
  const beside = files.map((file) => `  ${file}\n`).join("");
  const head = `${skill.name}  (${scope})\n${description}\n${path}\n${beside === "" ? "" : `beside it:\n${beside}`}`;
  await io.stdout.write(terminalSafe(`${head}\n${body}\n`));
  return 0;
}

async function filesBeside(path: string): Promise<string[]> {
  const folder = dirname(path);
  const names = (await entriesBeside(folder)).map((entry) => relative(folder, entry.path));
  return names.filter((name) => name !== "SKILL.md");
}
