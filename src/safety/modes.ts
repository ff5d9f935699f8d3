import { realpathSync } from "node:fs";
import { isAbsolute, join, resolve, sep } from "node:path";
import type { SandboxPolicy } from "../protocol/policy.ts";
import type { SandboxMode } from "../protocol/settings.ts";
import { escapePattern, isMagic } from "../sandbox/deny.ts";
import { entryAt } from "../sandbox/paths.ts";
import { KEY_FILES, PROTECTED_NAMES } from "../sandbox/protected.ts";

export type PolicyRequest = {
  mode: SandboxMode;
  /**
   * The workspace. Sessions name their working folder; `interpreter sandbox` names the repository around it. Relative
   * paths of the other fields start here.
   */
  cwd: string;
  /** Of `--add-dir`, and of `sandbox_workspace_write.writable_roots`. */
  addDirs?: readonly string[];
  writableRoots?: readonly string[];
  /** For workspace-write and external-sandbox; read-only never has it. */
  network?: boolean;
  excludeTmpdir?: boolean;
  excludeSlashTmp?: boolean;
  /** The variable TMPDIR. */
  tmpdir?: string;
  /** Paths and patterns that stay unreadable. */
  deny?: readonly string[];
  /** Our own folder of settings, keys and sessions: read-only even where it lies in a writable folder, its keys unreadable. */
  stateDir?: string;
};

/**
 * A mode and its settings as one policy. Paths are made real here, once, so that a link which a command makes later has
 * no say in what is writable.
 */
export function resolvePolicy(request: PolicyRequest): SandboxPolicy {
  switch (request.mode) {
    case "danger-full-access":
      return { mode: "off" };
    case "external-sandbox":
      return { mode: "external", network: request.network ?? false };
    case "read-only":
      return { ...restricted(request), write: [], protect: [], network: false };
    case "workspace-write":
      return restricted(request);
  }
}

function restricted(request: PolicyRequest): Extract<SandboxPolicy, { mode: "restricted" }> {
  const { cwd, addDirs = [], writableRoots = [], deny = [], stateDir, network = false } = request;
  const projects = unique([cwd, ...addDirs, ...writableRoots].map((path) => realPath(resolve(cwd, path))));
  const temporary = temporaryFolders(request).filter((folder) => !projects.includes(folder));
  const write = [...projects, ...temporary];
  const protect = [
    ...projects.flatMap(protectedNames),
    // Nobody works in a temporary folder itself, and an empty .git there would confuse every tool that looks for the
    // repository above a folder below it. So only what exists is protected.
    ...temporary.flatMap(protectedNames).filter((path) => entryAt(path) !== undefined),
    ...(stateDir === undefined ? [] : [realPath(resolve(cwd, stateDir))]),
  ];
  return {
    mode: "restricted",
    read: "everything",
    write,
    protect: unique(protect).filter((path) => !write.includes(path)),
    deny: unique([...deny.map((entry) => absoluteRule(entry, cwd)), ...keyFiles(cwd, stateDir)]),
    network,
  };
}

function temporaryFolders({ excludeSlashTmp, excludeTmpdir, tmpdir = "" }: PolicyRequest): string[] {
  const isUsable = !excludeTmpdir && isAbsolute(tmpdir) && resolve(tmpdir) !== sep;
  return unique([...(excludeSlashTmp ? [] : ["/tmp"]), ...(isUsable ? [tmpdir] : [])].map(realPath));
}

function protectedNames(root: string): string[] {
  return PROTECTED_NAMES.map((name) => join(root, name));
}

/** Real paths, so that a home that is kept elsewhere and linked to is as safe. */
function keyFiles(cwd: string, stateDir: string | undefined): string[] {
  if (stateDir === undefined) return [];
  const home = realPath(resolve(cwd, stateDir));
  return KEY_FILES.map((name) => realPath(join(home, name)));
}

/** A path relative to a folder whose own name has a `[` in it must not become a pattern by that. */
function absoluteRule(entry: string, cwd: string): string {
  if (isAbsolute(entry)) return entry;
  const root = realPath(cwd);
  return isMagic(entry) ? join(escapePattern(root), entry) : join(root, entry);
}

/** A folder that does not exist yet keeps its name. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}
