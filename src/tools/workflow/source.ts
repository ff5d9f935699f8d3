import { isAbsolute, join, resolve } from "node:path";
import { readOrdinaryText } from "../../util/fs.ts";

export type WorkflowInput = {
  script?: string | undefined;
  scriptPath?: string | undefined;
  name?: string | undefined;
};
export type WorkflowSource = { script: string; name: string; description: string };

/** Folders of a project that hold workflows by name, the first one first. */
const FOLDERS = [".openinterpreter/workflows", ".claude/workflows"];

/** The file that a call names, so that policy can be asked about it; undefined for a script that came with the call. */
export function sourcePaths({ scriptPath, script, name }: WorkflowInput, cwd: string): string[] {
  if (scriptPath) return [resolve(cwd, scriptPath)];
  if (script !== undefined || !name) return [];
  return isAbsolute(name) || /[\\/]/.test(name)
    ? []
    : FOLDERS.map((folder) => join(cwd, folder, `${name}.js`));
}

/** The script of a call and what it says of itself, or what is wrong with it. */
export async function readSource(
  input: WorkflowInput,
  cwd: string,
): Promise<WorkflowSource | { problem: string }> {
  const paths = sourcePaths(input, cwd);
  const script = paths.length === 0 ? input.script : await firstOf(paths);
  if (typeof script === "object") return script;
  if (script === undefined)
    return { problem: "wanted a script, a scriptPath or the name of a saved workflow" };
  const meta = /^\s*(?:\/\/[^\n]*\n\s*)*export\s+const\s+meta\s*=\s*\{([\s\S]*?)\n?\}/.exec(script)?.[1];
  const named = meta && textField("name", meta);
  if (!named)
    return { problem: "a script begins with `export const meta = { name: '...', description: '...' }`" };
  return { script, name: named, description: textField("description", meta) ?? "" };
}

/** Bytes. */
const LONGEST_SCRIPT = 1024 * 1024;

async function firstOf(paths: readonly string[]): Promise<string | { problem: string }> {
  for (const path of paths) {
    const text = await readOrdinaryText(path, LONGEST_SCRIPT);
    if (text !== undefined) return text;
  }
  return {
    problem: `wanted an ordinary file of at most 1 MiB that can be read, found none at ${paths.join(" or ")}`,
  };
}

function textField(field: string, literal: string): string | undefined {
  return new RegExp(`\\b${field}\\s*:\\s*(['"\`])((?:\\\\.|(?!\\1)[^\\\\])*)\\1`, "s").exec(literal)?.[2];
}
