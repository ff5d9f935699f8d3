import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandSpec } from "../../protocol/policy.ts";
import { shellQuote } from "../../util/shell-quote.ts";

/**
 * A file that starts one command with its own environment, for somebody who has an environment of their own. Only one of two
 * can happen: the command begins, or it is forbidden to.
 */
export type CommandScript = {
  /** Words without special characters: clients differ in whether a shell reads them. */
  words: { command: string; args: string[] };
  /** The process of the command, once it has begun. */
  begun(): Begun | undefined;
  /** From now on it can't begin any more. False when it has. */
  forbid(): boolean;
  /** At once: the program may be about to end. */
  remove(): void;
};

/** `bornAt`: as Linux counts it; empty elsewhere. */
export type Begun = { pid: number; bornAt: string };

/**
 * Is it this very process, and on this machine? A client in a container has other processes under the same ids. Where the
 * system does not tell, it is taken for granted.
 */
export function isAlive({ pid, bornAt }: Begun): boolean {
  if (process.platform !== "linux") return true;
  try {
    return bornAt !== "" && birthIn(readFileSync(`/proc/${pid}/stat`, "utf8")) === bornAt;
  } catch {
    return false;
  }
}

/** Throws what the file system throws. */
export async function writeCommandScript(command: CommandSpec): Promise<CommandScript> {
  const folder = await mkdtemp(join(tmpdir(), "interpreter-command-"));
  const file = join(folder, fileName(command.argv));
  const mark = join(folder, "begun");
  await writeFile(file, scriptOf(command, { file, mark }), { mode: 0o600 });
  return {
    words: { command: "/usr/bin/env", args: ["-i", "/bin/sh", file] },
    begun: () => readMark(mark),
    forbid: () => canMake(mark),
    remove: () => removeFolder(folder),
  };
}

/**
 * The braces make the shell read all of it before it begins, so that the file, which holds the environment, can be emptied
 * first. The values don't go through an argument list: any user of the machine can read those.
 */
function scriptOf({ argv, cwd, env }: CommandSpec, { file, mark }: { file: string; mark: string }): string {
  const entries = Object.entries(env);
  const exported = entries.filter(([name]) => isExportable(name));
  const others = entries.filter(([name]) => !isExportable(name)).map(([name, value]) => `${name}=${value}`);
  const program = others.length === 0 ? [] : ["/usr/bin/env", ...others];
  return [
    "{",
    "set -C",
    // Only a shell's own commands, which need no PATH.
    `stat=; [ -r "/proc/$$/stat" ] && read -r stat < "/proc/$$/stat"`,
    `echo "$$ $stat" > ${word(mark)} || exit 126`,
    "set +C",
    `: > ${word(file)}`,
    `cd -- ${word(cwd)} || exit 126`,
    "unset PWD OLDPWD SHLVL",
    ...exported.map(([name, value]) => `export ${name}=${word(value)}`),
    `exec ${[...program, ...argv].map(word).join(" ")} < /dev/null`,
    "}",
    "",
  ].join("\n");
}

function word(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Some variables are the shell's own: it may refuse a value, complain about it, or do something at once. None holds a secret. */
function isExportable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !OF_THE_SHELL.test(name);
}

const OF_THE_SHELL =
  /^(?:_|LANG|LC_\w+|PWD|OLDPWD|SHLVL|IFS|ENV|PS\d|OPT\w+|P?PID|E?UID|E?GID|GROUPS|BASH\w*|SHELLOPTS|POSIXLY_CORRECT|LINENO|RANDOM|SRANDOM|SECONDS|EPOCH\w*|HIST\w*|FUNCNAME|FUNCNEST|DIRSTACK|PIPESTATUS|COMP_\w+|MAIL\w*|TIMEFORMAT|ERRNO|COLUMNS|LINES)$/;

/** Some clients show the words as the name of the terminal. */
function fileName(argv: readonly string[]): string {
  const text = argv.length === 3 && argv[1]?.endsWith("c") ? argv[2] : shellQuote(argv);
  const plain = (text ?? "").replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|-+$/g, "");
  return `${plain.slice(0, 60) || "command"}.sh`;
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // What is left holds nothing once the command has begun.
  }
}

function readMark(mark: string): Begun | undefined {
  try {
    const [, pid, stat = ""] = /^(\d+) (.*)\n$/s.exec(readFileSync(mark, "utf8")) ?? [];
    return pid === undefined ? undefined : { pid: Number(pid), bornAt: birthIn(stat) };
  } catch {
    return undefined;
  }
}

/** The 22nd field of /proc/PID/stat. The second, in parentheses, may hold anything. */
function birthIn(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

/** The file system decides between the two that want to make the file. */
function canMake(mark: string): boolean {
  try {
    closeSync(openSync(mark, "wx", 0o600));
    return true;
  } catch (cause) {
    return !(cause instanceof Error && "code" in cause && cause.code === "EEXIST");
  }
}
