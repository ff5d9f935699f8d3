import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { findSkills } from "../util/skill-files.ts";
import { defineTool } from "./define.ts";
import { osErrorText } from "./files/os-error.ts";
import { readingCall, refused, textResult } from "./results.ts";

const SkillInput = z.looseObject({ name: z.string(), args: z.string().optional() });
type SkillInput = z.infer<typeof SkillInput>;

/** Native "skill": the instructions of a skill, by its name. */
export const skill = defineTool<SkillInput>({
  name: "skill",
  schema: SkillInput,
  parallel: true,
  async prepare({ name, args = "" }, { cwd, env }) {
    const skills = await findSkills(cwd, env);
    const found = skills.find((one) => one.name === name);
    const known = skills.map((one) => one.name).join(", ");
    if (!found)
      return refused(
        `there is no skill ${name}; ${known === "" ? "none is installed" : `there are ${known}`}`,
      );
    return readingCall([found.path], async () => {
      try {
        const text = withoutHead(await readFile(found.path, "utf8"));
        const whole = text.includes("$ARGUMENTS") ? text.replaceAll("$ARGUMENTS", args) : joined(text, args);
        return textResult(true, whole, {
          case: "loaded",
          name,
          folder: dirname(found.path),
          instructions: whole,
        });
      } catch (error) {
        return textResult(false, `${found.path} can't be read: ${osErrorText(error)}`);
      }
    });
  },
});

function withoutHead(text: string): string {
  return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, "").trim();
}

function joined(text: string, args: string): string {
  return args === "" ? text : `${text}\n\n${args}`;
}
