import { basename, dirname, join } from "node:path";
import type { SandboxPolicy } from "../protocol/policy.ts";
import { AppError } from "../util/errors.ts";
import { type DeniedPath, deniedPaths } from "./deny.ts";
import { isBelowRepository, pointedFolders } from "./git-folders.ts";
import {
  entryAt,
  foldersBetween,
  isWithin,
  type Link,
  linksOnTheWay,
  realPathOf,
  replaceableLink,
} from "./paths.ts";
import { isPlaceholder } from "./placeholders.ts";

export type RestrictedPolicy = Extract<SandboxPolicy, { mode: "restricted" }>;

/**
 * What a command finds at a real path. `write`: as it is. `keep`: as it is, read-only. `empty`: nothing was there, and
 * nothing can be made there. `deny_file`, `deny_folder`: it exists and can't be opened; `entered` when something below it
 * is open again.
 */
export type Place =
  | { path: string; is: "write" | "keep" | "empty" | "deny_file" }
  | { path: string; is: "deny_folder"; entered: boolean };

/**
 * Outer places come before inner ones; an inner place overrides the outer one. `links`, where not everything is readable:
 * the symbolic links by which the places can be reached as the policy names them.
 */
export type Layout = { readsEverything: boolean; places: Place[]; links: Link[] };

type Kind = Place["is"];
type Places = Map<string, Kind>;

/**
 * A policy as real paths on this disk, right now. Looks at everything anew each time, because the commands before this
 * one may have moved things. Throws AppError "sandbox.unavailable" when a path could be bent by the command.
 */
export async function layOut(policy: RestrictedPolicy): Promise<Layout> {
  const writable = policy.write.flatMap((root) => realPathOf(root) ?? []);
  const places: Places = new Map();
  if (policy.read !== "everything") addRoots(places, policy.read, "keep", writable);
  addRoots(places, policy.write, "write", writable);
  for (const path of policy.protect) protect(places, path, writable);
  const denied = await deniedPaths(policy.deny, writable);
  for (const { path, isFolder } of denied) places.set(path, isFolder ? "deny_folder" : "deny_file");
  dropCovered(places);
  pinFolders(places, denied);
  return {
    readsEverything: policy.read === "everything",
    places: inOrder(places),
    links: policy.read === "everything" ? [] : [...policy.read, ...policy.write].flatMap(linksOnTheWay),
  };
}

function addRoots(places: Places, roots: readonly string[], is: "write" | "keep", writable: string[]): void {
  for (const root of roots) {
    const real = realPathOf(root);
    if (real === undefined) continue;
    refuseReplaceable(root, writable, is === "write" ? "open for writing" : "readable");
    places.set(real, is);
  }
}

/** An explicit writable folder of the same path wins. */
function protect(places: Places, path: string, writable: string[]): void {
  const parent = realPathOf(dirname(path));
  if (parent === undefined || !writable.some((folder) => isWithin(parent, folder))) return;
  const real = join(parent, basename(path));
  if (places.has(real)) return;
  refuseReplaceable(path, writable, "read-only");
  const entry = entryAt(real);
  if (entry === undefined || isPlaceholder(entry)) {
    // An empty .git here would hide the repository above from git.
    if (basename(real) !== ".git" || !isBelowRepository(parent)) places.set(real, "empty");
    return;
  }
  places.set(real, "keep");
  if (basename(real) !== ".git" || !entry.isFile()) return;
  for (const folder of pointedFolders(real)) protect(places, folder, writable);
}

function refuseReplaceable(path: string, writable: string[], wish: string): void {
  const link = replaceableLink(path, writable);
  if (link === undefined) return;
  const message = `the sandbox can't keep ${path} ${wish}: ${link} is a symbolic link that commands can replace`;
  const hint = "put the real file or folder there, or run with --sandbox danger-full-access";
  throw new AppError("sandbox.unavailable", message, { hint });
}

/** Leaves out what an outer place says already, and what lies in a denied folder without being open again. */
function dropCovered(places: Places): void {
  for (const { path, is } of inOrder(places)) {
    const outer = enclosing(places, path);
    const isSame = outer === is && is === "write";
    const isShut = (outer === "keep" || outer === "empty") && (is === "keep" || is === "empty");
    const isDenied = outer === "deny_folder" && is !== "write";
    if (isSame || isShut || isDenied) places.delete(path);
  }
}

/**
 * The folders between a place and the writable folder around it become places of their own: what is mounted can't be
 * renamed. Otherwise one command could move the folder away and the next one would find the rule pointing at nothing.
 */
function pinFolders(places: Places, denied: readonly DeniedPath[]): void {
  const searched = new Set(denied.flatMap(({ fixed }) => fixed ?? []));
  const found = new Set(denied.flatMap(({ path, fixed }) => (fixed === undefined ? [] : path)));
  // A pattern finds its files again wherever they were moved; only where it starts to look has to stay.
  const fixed = [...places.keys()].filter((path) => !found.has(path));
  for (const path of [...fixed, ...[...searched].map((folder) => join(folder, "*"))]) {
    const outer = enclosingPath(places, path);
    if (outer === undefined || places.get(outer) !== "write") continue;
    for (const folder of foldersBetween(outer, path)) places.set(folder, "write");
  }
}

function enclosing(places: Places, path: string): Kind | undefined {
  const outer = enclosingPath(places, path);
  return outer === undefined ? undefined : places.get(outer);
}

function enclosingPath(places: Places, path: string): string | undefined {
  for (let at = path; dirname(at) !== at; ) {
    at = dirname(at);
    if (places.has(at)) return at;
  }
  return undefined;
}

function inOrder(places: Places): Place[] {
  const sorted = [...places].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([path, is]) => {
    if (is !== "deny_folder") return { path, is };
    const entered = sorted.some(
      ([inner, kind]) => kind === "write" && inner !== path && isWithin(inner, path),
    );
    return { path, is, entered };
  });
}
