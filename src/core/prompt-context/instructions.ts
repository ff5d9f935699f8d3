import type { ConfigValues } from "../../config/schema.ts";
import { AppError } from "../../util/errors.ts";
import { requireOrdinaryText } from "../../util/fs.ts";

export type Instructions = { base?: string; extra?: string };

/** The user's own system prompt, and the text that follows the system prompt. Throws AppError "config". */
export async function readInstructions({
  model_instructions_file: file,
  instructions,
}: ConfigValues): Promise<Instructions> {
  const extra = instructions ? { extra: instructions } : {};
  if (file === undefined) return extra;
  return { base: await textFile(file, "model_instructions_file"), ...extra };
}

/** What the model is asked for when history is compacted; undefined: the harness's or our own words. */
export async function readCompactPrompt(values: ConfigValues): Promise<string | undefined> {
  const file = values.experimental_compact_prompt_file;
  if (file !== undefined) return textFile(file, "experimental_compact_prompt_file");
  return values.compact_prompt;
}

/** Bytes. */
const LONGEST_FILE = 2 ** 20;

async function textFile(file: string, key: string): Promise<string> {
  try {
    const text = (await requireOrdinaryText(file, LONGEST_FILE)).trim();
    if (text !== "") return text;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("config", `${key}: wanted a readable text file, found ${file}: ${why}`, { cause });
  }
  throw new AppError("config", `${key}: the file ${file} is empty`, {
    hint: "write the text into it, or remove the key",
  });
}
