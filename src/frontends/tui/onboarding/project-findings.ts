import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { CONFIG_FILE, PROJECT_FOLDER, PROJECT_SKILLS } from "../../../config/paths.ts";
import { foldersBetween, realPath } from "../../../config/project.ts";
import { parseToml } from "../../../config/toml.ts";

type Place = { cwd: string; projectRoot: string; home: string };

/** What of a project would count once it is trusted: one line for each file, with what it starts. */
export async function projectFindings({ cwd, projectRoot, home }: Place): Promise<string[]> {
  const found: string[] = [];
  for (const folder of foldersBetween(projectRoot, cwd)) {
    for (const skills of PROJECT_SKILLS) {
      const names = await readdir(join(folder, skills)).catch(() => []);
      if (names.length > 0) found.push(`${join(relative(projectRoot, folder), skills)}: ${listed(names)}`);
    }
    const own = join(folder, PROJECT_FOLDER);
    if (!existsSync(own) || realPath(own) === realPath(home)) continue;
    const shown = relative(projectRoot, own) || PROJECT_FOLDER;
    const file = join(own, CONFIG_FILE);
    if (existsSync(file)) found.push(`${shown}/${CONFIG_FILE}: ${(await contentsOf(file)).join(", ")}`);
    const harnesses = await readdir(join(own, "harnesses")).catch(() => []);
    const names = harnesses.filter((name) => name.endsWith(".yaml"));
    if (names.length > 0) found.push(`${shown}/harnesses: ${listed(names)}`);
  }
  return found;
}

const MOST_NAMED = 8;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? `, ${more} more` : "");
}

async function contentsOf(file: string): Promise<string[]> {
  try {
    const table = parseToml(await readFile(file, "utf8"), file);
    const servers = Object.keys(Object(table["mcp_servers"]));
    return [
      "settings",
      ...(servers.length > 0 ? [`MCP servers that are started: ${servers.join(", ")}`] : []),
    ];
  } catch {
    return ["can't be read"];
  }
}
