import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { requireOrdinaryText } from "../util/fs.ts";
import { defineTool } from "./define.ts";
import { osErrorText } from "./files/os-error.ts";
import { readingCall, refused, textResult } from "./results.ts";
import type { SkillEntry, ToolContext, ToolResult } from "./types.ts";

const SkillInput = z.looseObject({ name: z.string(), args: z.string().optional() });
type SkillInput = z.infer<typeof SkillInput>;

/**
 * Native "skill": the instructions of a skill, by its name. What lies beside them is only named: the model reads it when
 * the instructions send it there.
 */
export const skill = defineTool<SkillInput>({
  name: "skill",
  schema: SkillInput,
  parallel: true,
  async prepare({ name, args = "" }, { skills = [] }) {
    const wanted = name.trim().replace(/^[/$]/, "");
    const found = skills.find((one) => one.name === wanted);
    if (found) return readingCall([found.path], (ctx) => loaded(found, args, ctx));
    const known = skills.map((one) => one.name).join(", ");
    return refused(
      `there is no skill ${wanted}; ${known === "" ? "none is installed" : `there are ${known}`}`,
    );
  },
});

/** Bytes. */
const LONGEST_SKILL = 2 ** 20;

async function loaded(skill: SkillEntry, args: string, { outputLimit }: ToolContext): Promise<ToolResult> {
  const { name, path } = skill;
  const folder = dirname(path);
  try {
    const body = withoutHead(await requireOrdinaryText(path, LONGEST_SKILL));
    const instructions = within(filled(body, args), path, outputLimit);
    const files = (await filesOf(folder)).join("\n");
    const beside = files === "" ? "" : `\n\nFiles beside it, in ${folder}:\n${files}`;
    return textResult(true, `${instructions}${beside}`, {
      case: "loaded",
      name,
      folder,
      instructions,
      files,
    });
  } catch (error) {
    return textResult(false, `${path} can't be read: ${osErrorText(error)}`);
  }
}

function withoutHead(text: string): string {
  return text.replace(/^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/, "").trim();
}

function filled(body: string, args: string): string {
  if (body.includes("$ARGUMENTS")) return body.replaceAll("$ARGUMENTS", () => args);
  return args === "" ? body : `${body}\n\n${args}`;
}

/** The beginning counts most in instructions, so the end is what is left out. */
function within(text: string, path: string, { unit, limit }: ToolContext["outputLimit"]): string {
  const most = unit === "tokens" ? limit * 4 : limit;
  if (text.length <= most) return text;
  const cut = text.lastIndexOf("\n", most);
  const shown = text.slice(0, cut > 0 ? cut : most);
  const lines = shown.split("\n").length;
  return `${shown}\n[the rest was left out; read ${path} from line ${lines} of the instructions on]`;
}

const MOST_FILES = 40;

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const inside = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith(".") && name !== "SKILL.md")
      .map(async (entry) => {
        if (!entry.isDirectory()) return [entry.name];
        const names = await readdir(join(folder, entry.name)).catch(() => []);
        return names.map((name) => `${entry.name}/${name}`);
      }),
  );
  return inside.flat().sort().slice(0, MOST_FILES);
}
