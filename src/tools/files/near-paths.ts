import { readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { nearest } from "../../util/nearest.ts";
import { walk } from "../../util/walk.ts";
import { shortPath } from "./location.ts";

const MAX_PATHS = 3;
/** A wrong folder is looked for this far and no further: the answer to a typo must not take seconds. */
const MAX_WALKED = 5000;

/** Says that a path is missing, with the paths that were most likely meant, relative to `cwd`. */
export async function missingPathText(path: string, cwd: string, signal: AbortSignal): Promise<string> {
  const near = await nearPaths(path, cwd, signal);
  const hint = near.length === 0 ? "" : `. Did you mean ${near.join(" or ")}?`;
  return `${path} does not exist${hint}`;
}

/** Existing paths that look like a missing one: a slip in one of its names first, then the same name elsewhere. */
async function nearPaths(path: string, cwd: string, signal: AbortSignal): Promise<string[]> {
  const slip = await correctedPath(path);
  const found = slip === undefined ? await sameName(path, cwd, signal) : [slip];
  return found.map((near) => shortPath(near, cwd));
}

/** The path with its first missing name put right, if the rest then exists. */
async function correctedPath(path: string): Promise<string | undefined> {
  const rest: string[] = [basename(path)];
  let folder = dirname(path);
  while (!(await exists(folder)) && folder !== dirname(folder)) {
    rest.unshift(basename(folder));
    folder = dirname(folder);
  }
  const [wrong = "", ...below] = rest;
  const names = await readdir(folder).catch(() => []);
  const right = likeliest(wrong, names);
  if (right === undefined) return undefined;
  const corrected = join(folder, right, ...below);
  return (await exists(corrected)) ? corrected : undefined;
}

function likeliest(wrong: string, names: readonly string[]): string | undefined {
  const lower = wrong.toLowerCase();
  const stem = basename(lower, extname(lower));
  return (
    names.find((name) => name.toLowerCase() === lower) ??
    nearest(wrong, names) ??
    names.find((name) => basename(name, extname(name)).toLowerCase() === stem)
  );
}

async function sameName(path: string, cwd: string, signal: AbortSignal): Promise<string[]> {
  const name = basename(path);
  const found: string[] = [];
  for await (const entry of walk(cwd, { maxEntries: MAX_WALKED }, signal)) {
    if (basename(entry.path) === name) found.push(entry.path);
    if (found.length === MAX_PATHS) break;
  }
  return found;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
