import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { wayToTrust } from "../../../extensions/skills/find.ts";
import { LONGEST_DESCRIPTION, LONGEST_NAME, splitSkill } from "../../../extensions/skills/front-matter.ts";
import type { ExitCode, Io } from "../../../protocol/program.ts";
import { parseArgs, usageError } from "../../../util/args.ts";
import { AppError, toAppError } from "../../../util/errors.ts";
import { helpText } from "../../../util/help.ts";
import { NAME } from "../../../util/package.ts";
import { NEW } from "./options.ts";
import { loadedConfig, seenSkills, skillNamed } from "./seen.ts";

export async function newSkill(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs(NEW, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(NEW));
    return 0;
  }
  const [name = "", ...more] = parsed.positionals;
  if (more.length > 0) throw usageError(NEW, "wanted one name");
  checkName(name);
  const description = parsed.value("description")?.replace(/\s+/g, " ").trim();
  if (description !== undefined && description.length > LONGEST_DESCRIPTION)
    throw usageError(
      NEW,
      `the description has ${description.length} characters; ${LONGEST_DESCRIPTION} are allowed`,
    );
  const config = await loadedConfig(parsed, io);
  const folder = join(baseOf(parsed.has("project") ? config.projectRoot : undefined, io), name);
  if (existsSync(folder))
    throw new AppError("config", `${folder} exists already`, { hint: "choose another name, or edit it" });
  const from = parsed.value("from");
  const origin =
    from === undefined ? undefined : skillNamed((await seenSkills(parsed, io)).skills, from).path;
  const file = await written(folder, { name, description, origin });
  const trust =
    parsed.has("project") && config.trust !== "trusted"
      ? `The project is not trusted, so its skills are not read yet. ${wayToTrust(config)}\n`
      : "";
  await io.stdout.write(
    `${file}\n${trust}Change it, check it with '${NAME} skills validate ${folder}', use it with $${name} in a prompt.\n`,
  );
  return 0;
}

/** Names that Windows keeps for devices, whatever follows a dot: such a folder could not be checked out there. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function checkName(name: string): void {
  if (DEVICE.test(name))
    throw usageError(NEW, `wanted a name that every system can use for a folder, found "${name}"`);
  if (name.length <= LONGEST_NAME && /^[A-Za-z0-9][\w.-]*$/.test(name)) return;
  throw usageError(
    NEW,
    `wanted a name of at most ${LONGEST_NAME} letters, digits, -, _ and ., found "${name}"`,
  );
}

function baseOf(projectRoot: string | undefined, io: Io): string {
  if (projectRoot !== undefined) return join(projectRoot, ".agents", "skills");
  const home = io.env["HOME"];
  if (home) return join(home, ".agents", "skills");
  throw new AppError("config", "there is no home folder: HOME is not set", { hint: "use --project" });
}

type Wanted = { name: string; description: string | undefined; origin: string | undefined };

async function written(folder: string, wanted: Wanted): Promise<string> {
  const file = join(folder, "SKILL.md");
  try {
    await mkdir(dirname(folder), { recursive: true });
    if (wanted.origin === undefined) await mkdir(folder);
    else await cp(dirname(wanted.origin), folder, { recursive: true, errorOnExist: true, force: false });
    await writeFile(file, await textFor(wanted), wanted.origin === undefined ? { flag: "wx" } : {});
    return file;
  } catch (cause) {
    throw new AppError("config", `${folder} could not be written: ${toAppError(cause).message}`, {
      cause,
      hint: "check the permissions of the folder above it",
    });
  }
}

async function textFor({ name, description, origin }: Wanted): Promise<string> {
  const { stringify } = await import("yaml");
  if (origin === undefined) {
    const head = stringify({ name, description: description ?? DESCRIPTION_OF_A_DRAFT }, { lineWidth: 0 });
    return `---\n${head}---\n${BODY}`;
  }
  const { parse } = await import("yaml");
  const { head = "", body } = splitSkill(await readFile(origin, "utf8"));
  const values: unknown = parse(head);
  const kept = typeof values === "object" && values !== null ? values : {};
  const over = { name, ...(description === undefined ? {} : { description }) };
  return `---\n${stringify({ ...kept, ...over }, { lineWidth: 0 })}---\n${body}\n`;
}

const DESCRIPTION_OF_A_DRAFT = "What this teaches the model, and when to use it, in the words of such tasks.";
const BODY = `1. The first step, as an order, with the command that does it.
2. How the result is checked.

<!-- What is seldom needed goes into references/, what is always typed the same way into scripts/; name each file where it is
needed. -->
`;
