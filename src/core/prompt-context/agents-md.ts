import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type Item, userText } from "../../protocol/items.ts";
import { factsOf } from "../../util/fs.ts";

export type AgentsMdOptions = {
  home: string;
  cwd: string;
  /** cwd or one of its parents. */
  projectRoot: string;
  /** Project files are read only for a trusted project: a repository must not instruct the model unasked. */
  isTrusted: boolean;
  maxBytes: number;
  fallbackNames: readonly string[];
};

/** `body` is their text without our frame; "" when there is none. */
export type AgentsMd = { item?: Item; body: string; files: string[]; warnings: string[] };

/** Finds the user's and the project's AGENTS.md files, root first, within the byte budget. */
export async function readAgentsMd(options: AgentsMdOptions): Promise<AgentsMd> {
  const warnings: string[] = [];
  const user = firstExisting(options.home, ["AGENTS.override.md", "AGENTS.md"], true);
  const names = ["AGENTS.override.md", "AGENTS.md", ...options.fallbackNames];
  const found: string[] = [];
  for (const folder of foldersFromRoot(options.projectRoot, options.cwd)) {
    const file = firstExisting(folder, names, false);
    if (file) found.push(file);
  }
  if (found.length > 0 && !options.isTrusted) {
    warnings.push(
      `${found.join(", ")} not read: the project is not trusted. To trust it, add [projects."${options.projectRoot}"] trust_level = "trusted" to ${join(options.home, "config.toml")}`,
    );
  }
  const project =
    options.isTrusted && options.maxBytes > 0 ? await readWithin(found, options.maxBytes, warnings) : [];
  const userContent = user ? (await readFile(user, "utf8")).trim() : "";
  const projectContent = project.map(({ text }) => text).join("\n\n");
  const body = [userContent, projectContent]
    .filter((text) => text !== "")
    .join("\n\n--- project-doc ---\n\n");
  const files = [...(userContent === "" ? [] : user ? [user] : []), ...project.map(({ file }) => file)];
  if (body === "") return { body, files, warnings };
  const text = `# AGENTS.md instructions for ${options.cwd}\n\n<INSTRUCTIONS>\n${body}\n</INSTRUCTIONS>`;
  return { item: userText(text), body, files, warnings };
}

function foldersFromRoot(root: string, cwd: string): string[] {
  const way = relative(root, cwd);
  if (way === "") return [root];
  if (way.startsWith("..")) return [cwd];
  const folders = [root];
  for (const part of way.split(sep)) folders.push(join(folders.at(-1) ?? root, part));
  return folders;
}

function firstExisting(folder: string, names: readonly string[], mustHaveText: boolean): string | undefined {
  for (const name of names) {
    const path = join(folder, name);
    const facts = existsSync(path) ? factsOf(path) : undefined;
    if (facts?.isFile() && (!mustHaveText || facts.size > 0)) return path;
  }
  return undefined;
}

async function readWithin(
  files: readonly string[],
  maxBytes: number,
  warnings: string[],
): Promise<{ file: string; text: string }[]> {
  const read: { file: string; text: string }[] = [];
  let left = maxBytes;
  for (const file of files) {
    if (left <= 0) {
      warnings.push(`${file} left out: the project_doc_max_bytes of ${maxBytes} are used up`);
      continue;
    }
    const bytes = await readFile(file).catch(() => undefined);
    if (!bytes) {
      warnings.push(`${file} could not be read`);
      continue;
    }
    if (bytes.length > left)
      warnings.push(`${file} cut after ${left} bytes: project_doc_max_bytes is ${maxBytes}`);
    const text = bytes.subarray(0, left).toString("utf8").trim();
    left -= bytes.length;
    if (text !== "") read.push({ file, text });
  }
  return read;
}
