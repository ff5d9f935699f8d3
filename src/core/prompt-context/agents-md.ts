import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Item, userText } from "../../protocol/items.ts";
import { factsOf, readStartOf } from "../../util/fs.ts";

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
  const userContent = user ? await usersText(user, warnings) : "";
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

/** The user's own file is not held to the budget of projects; a longer one is not instructions. Bytes. */
const LONGEST_OF_USER = 1024 * 1024;

async function usersText(file: string, warnings: string[]): Promise<string> {
  const { bytes, size } = await readStartOf(file, LONGEST_OF_USER);
  if (size > LONGEST_OF_USER) warnings.push(`${file} cut after ${LONGEST_OF_USER} bytes: it has ${size}`);
  return bytes.toString("utf8").trim();
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
    const start = await readStartOf(file, left).catch(() => undefined);
    if (!start) {
      warnings.push(`${file} could not be read`);
      continue;
    }
    const { bytes, size } = start;
    if (size > left) warnings.push(`${file} cut after ${left} bytes: project_doc_max_bytes is ${maxBytes}`);
    const text = bytes.toString("utf8").trim();
    left -= size;
    if (text !== "") read.push({ file, text });
  }
  return read;
}
