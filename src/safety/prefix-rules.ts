import { basename } from "node:path";
import { beginsWith, plainWords } from "../util/plain-command.ts";

/** Programs that run what their arguments say, reach other machines, or destroy: their name says nothing about what they do. */
const TELLING_NOTHING = new Set(
  `ash bash busybox csh dash fish ksh pwsh powershell sh tcsh zsh
  awk bun deno gawk java julia lua node osascript perl php python python2 python3 R Rscript ruby tclsh tsx
  bunx corepack npx pipx pnpx uvx uv
  builtin chroot command coproc doas env eval exec find fakeroot ionice nice nohup nsenter parallel script setsid
  source stdbuf su sudo systemd-run time timeout unshare watch xargs
  chmod chown cp dd install kill killall ln mkfs mount mv pkill rm rmdir shred tar truncate umount
  curl ftp nc ncat netcat rsync scp sftp ssh socat telnet wget
  at batch crontab docker git kubectl podman
  ed emacs gdb gradle just lldb make mvn ninja rake sed tee vi vim`.split(/\s+/),
);
/** Second words after which any script of a project may run. */
const RUNS_SCRIPTS = new Set(["run", "exec", "dlx", "x", "start", "test", "t", "script", "eval", "shell"]);
const PACKAGE_PROGRAMS = new Set([
  "npm",
  "pnpm",
  "yarn",
  "cargo",
  "go",
  "poetry",
  "pdm",
  "rye",
  "hatch",
  "pip",
]);
const MOST_WORDS = 8;

/** May commands that begin with these words run without a question, when the user says so? */
export function isRule(rule: readonly string[]): boolean {
  const [program = "", second = ""] = rule;
  const name = basename(program);
  if (name === "" || rule.length > MOST_WORDS || /^(?:python|pip|node|ruby|perl)[\d.]+$/.test(name))
    return false;
  // What lies at a path may have been written, or be changed later, by the model itself.
  if (program !== name || TELLING_NOTHING.has(name)) return false;
  return (
    !PACKAGE_PROGRAMS.has(name) || (second !== "" && !second.startsWith("-") && !RUNS_SCRIPTS.has(second))
  );
}

/** Does the command begin with the words of the rule, and is it nothing but that program with arguments? */
export function isCovered(argv: readonly string[], rule: readonly string[]): boolean {
  const words = plainWords(argv);
  return words !== undefined && isRule(rule) && beginsWith(words, rule);
}

/**
 * The beginning of a command to offer as a rule: the model's proposal when it is one, else the program with its
 * subcommand. Undefined when nothing shorter than the command itself could be one.
 */
export function offeredRule(argv: readonly string[], proposed: readonly string[] = []): string[] | undefined {
  const words = plainWords(argv);
  if (!words) return undefined;
  const hasSubcommand = /^[a-z][a-z-]*$/.test(words[1] ?? "") && words.length > 2;
  const own = words.slice(0, hasSubcommand ? 2 : 1);
  const isFit = (rule: readonly string[]) =>
    isRule(rule) && beginsWith(words, rule) && rule.length < words.length;
  return [[...proposed], own].find(isFit);
}
