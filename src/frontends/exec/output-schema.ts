import { resolve } from "node:path";
import { AppError, toAppError } from "../../util/errors.ts";
import { codeOf, readAtMost } from "../../util/fs.ts";

/** Far more than a model reads. */
const MOST_BYTES = 4 * 2 ** 20;

/** Reads a JSON Schema. Throws AppError "config" naming the file. */
export async function readOutputSchema(file: string, cwd: string): Promise<Record<string, unknown>> {
  const bytes = await readAtMost(resolve(cwd, file), MOST_BYTES).catch((cause: unknown) => {
    const why = codeOf(cause) ?? toAppError(cause).message;
    throw new AppError("config", `Failed to read output schema file ${file}: ${why}`, {
      hint: "name a readable file that holds a JSON Schema",
      cause,
    });
  });
  const schema = parse(bytes.toString("utf8"), file);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new AppError("config", `Output schema file ${file} must hold a JSON object`, {
      hint: 'a schema looks like {"type": "object", "properties": {…}, "required": […], "additionalProperties": false}',
    });
  }
  return Object.fromEntries(Object.entries(schema));
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("config", `Output schema file ${file} is not valid JSON: ${why}`, { cause });
  }
}
