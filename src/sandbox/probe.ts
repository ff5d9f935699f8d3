import { accessSync, constants, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** `ownProc`: a /proc for the sandbox alone can be mounted. */
export type Probe = { ok: true; ownProc: boolean } | { ok: false; reason: string; hint: string };

const USUAL_FOLDERS = ["/usr/bin", "/usr/local/bin", "/bin"];
// Far above what a busy machine needs; a bwrap that hangs must not hang us.
const PROBE_TIMEOUT_MS = 10_000;

/** Every executable of this name on PATH and in the usual places. Relative entries of PATH are skipped: they follow the workspace. */
export function executablesNamed(name: string, path: string): string[] {
  const folders = [...path.split(":").filter(isAbsolute), ...USUAL_FOLDERS];
  return [...new Set(folders.map((folder) => join(folder, name)))].filter(isExecutable);
}

/** Is the program where systems keep theirs? */
export function isInUsualFolder(path: string): boolean {
  return USUAL_FOLDERS.includes(dirname(path));
}

export const NO_BWRAP: Probe = {
  ok: false,
  reason: "the sandbox needs bubblewrap (bwrap), which is not installed",
  hint: "install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap)",
};

/** Runs something harmless in namespaces like those of a command and sees whether the system allows it. */
export async function probeBwrap(bwrap: string): Promise<Probe> {
  if (isFirstWsl()) {
    return {
      ok: false,
      reason: "the sandbox needs user namespaces, which WSL 1 does not have",
      hint: "use WSL 2",
    };
  }
  const withProc = await tryBwrap(bwrap, ["--proc", "/proc"]);
  if (withProc === undefined) return { ok: true, ownProc: true };
  if (/mount proc/i.test(withProc)) {
    const withoutProc = await tryBwrap(bwrap, []);
    return withoutProc === undefined ? { ok: true, ownProc: false } : explain(withoutProc, readSetting);
  }
  return explain(withProc, readSetting);
}

/** What bwrap complained about; undefined when it worked. */
async function tryBwrap(bwrap: string, options: readonly string[]): Promise<string | undefined> {
  const isolation = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net"];
  try {
    const child = Bun.spawn(
      [bwrap, ...isolation, "--ro-bind", "/", "/", "--dev", "/dev", ...options, "--", bwrap, "--version"],
      { cwd: "/", env: {}, stdin: "ignore", stdout: "ignore", stderr: "pipe", timeout: PROBE_TIMEOUT_MS },
    );
    const [words, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    return exitCode === 0 ? undefined : words.trim() || `bwrap ended with ${child.signalCode ?? exitCode}`;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** `setting` reads a file below /proc/sys. */
export function explain(complaint: string, setting: (name: string) => string | undefined): Probe {
  const reason = `the sandbox can't start: ${complaint.split("\n").at(-1)}`;
  if (setting("kernel/apparmor_restrict_unprivileged_userns") === "1") {
    return {
      ok: false,
      reason: `${reason} (AppArmor keeps unprivileged programs from user namespaces)`,
      hint: "load an AppArmor profile for bwrap (Ubuntu: apt install apparmor-profiles, copy extra-profiles/bwrap-userns-restrict to /etc/apparmor.d and reload apparmor), or set sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    };
  }
  if (setting("kernel/unprivileged_userns_clone") === "0") {
    return {
      ok: false,
      reason: `${reason} (unprivileged user namespaces are switched off)`,
      hint: "set sysctl kernel.unprivileged_userns_clone=1",
    };
  }
  if (setting("user/max_user_namespaces") === "0") {
    return {
      ok: false,
      reason: `${reason} (user namespaces are switched off)`,
      hint: "set sysctl user.max_user_namespaces to a number such as 10000",
    };
  }
  return {
    ok: false,
    reason: `${reason} (user namespaces are not available here)`,
    hint: "in a container, allow user namespaces for it (for example a seccomp profile that permits unshare)",
  };
}

function readSetting(name: string): string | undefined {
  try {
    return readFileSync(join("/proc/sys", name), "utf8").trim();
  } catch {
    return undefined;
  }
}

function isFirstWsl(): boolean {
  try {
    const version = readFileSync("/proc/version", "utf8");
    return /microsoft/i.test(version) && !/wsl2|microsoft-standard/i.test(version);
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
