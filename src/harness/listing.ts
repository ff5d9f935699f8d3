import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** How many entries are shown of the folder itself, and of each folder in it; folders come first. */
export type ListingBounds = { entries: number; children: number; hidden: boolean };

/** A folder as a tree of one or two levels, for a prompt. What is left out is counted. */
export async function folderTree(folder: string, bounds: ListingBounds): Promise<string> {
  return (await branches(folder, bounds.entries, "", bounds)).join("\n");
}

async function branches(
  folder: string,
  most: number,
  indent: string,
  bounds: ListingBounds,
): Promise<string[]> {
  const found = (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter(({ name }) => bounds.hidden || !name.startsWith("."))
    .sort(foldersFirst);
  const shown = found.slice(0, most);
  const isCut = found.length > shown.length;
  const lines: string[] = [];
  for (const [at, entry] of shown.entries()) {
    const isLast = at === shown.length - 1 && !isCut;
    lines.push(`${indent}${isLast ? "└── " : "├── "}${entry.name}${entry.isDirectory() ? "/" : ""}`);
    if (!entry.isDirectory() || indent !== "" || bounds.children === 0) continue;
    const below = indent + (isLast ? "    " : "│   ");
    lines.push(...(await branches(join(folder, entry.name), bounds.children, below, bounds)));
  }
  if (isCut) lines.push(`${indent}└── ... and ${found.length - shown.length} more`);
  return lines;
}

function foldersFirst(a: Dirent, b: Dirent): number {
  const byKind = Number(b.isDirectory()) - Number(a.isDirectory());
  return byKind || a.name.localeCompare(b.name, "en", { sensitivity: "base" });
}
