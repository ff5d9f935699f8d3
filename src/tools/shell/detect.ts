import { accessSync, constants, statSync } from "node:fs";
import { basename, isAbsolute } from "node:path";

/** A program that runs one command line. */
export type Shell = { path: string; kind: "posix" | "powershell" | "cmd" };

type Environment = Readonly<Record<string, string | undefined>>;

/** The user's own shell when it is a POSIX one that exists, else the first of bash, zsh, sh. */
export function userShell(env: Environment): Shell {
  if (process.platform === "win32") return windowsShell(env);
  const { SHELL } = env;
  const own = SHELL === undefined ? undefined : posixShell(SHELL, env);
  if (own) return own;
  for (const name of ["bash", "zsh", "sh"]) {
    const found =
      posixShell(name, env) ?? posixShell(`/bin/${name}`, env) ?? posixShell(`/usr/bin/${name}`, env);
    if (found) return found;
  }
  return { path: "/bin/sh", kind: "posix" };
}

/** The shell a caller asks for by name or path; undefined when there is none, or when it is not a shell we can drive. */
export function namedShell(wanted: string, env: Environment): Shell | undefined {
  return process.platform === "win32" ? windowsNamed(wanted, env) : posixShell(wanted, env);
}

export function shellArgv(shell: Shell, command: string, login: boolean): string[] {
  switch (shell.kind) {
    case "posix":
      return [shell.path, login ? "-lc" : "-c", command];
    case "powershell":
      return [shell.path, ...(login ? [] : ["-NoProfile"]), "-Command", command];
    case "cmd":
      return [shell.path, "/c", command];
  }
}

const POSIX = new Set(["bash", "zsh", "sh", "dash", "ksh"]);

function posixShell(wanted: string, env: Environment): Shell | undefined {
  if (!POSIX.has(basename(wanted))) return undefined;
  const { PATH = "" } = env;
  const path = isAbsolute(wanted) ? wanted : Bun.which(wanted, { PATH });
  return path && isExecutable(path) ? { path, kind: "posix" } : undefined;
}

function windowsShell(env: Environment): Shell {
  const { ComSpec = "cmd.exe" } = env;
  return windowsNamed("pwsh", env) ?? windowsNamed("powershell", env) ?? { path: ComSpec, kind: "cmd" };
}

function windowsNamed(wanted: string, env: Environment): Shell | undefined {
  const name = basename(wanted.replaceAll("\\", "/"), ".exe").toLowerCase();
  const { Path = "", PATH = Path } = env;
  const path = Bun.which(wanted, { PATH });
  if (!path) return undefined;
  if (name === "pwsh" || name === "powershell") return { path, kind: "powershell" };
  if (name === "cmd") return { path, kind: "cmd" };
  return POSIX.has(name) ? { path, kind: "posix" } : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
