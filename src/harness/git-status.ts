import { join } from "node:path";
import { readOrdinaryText } from "../util/fs.ts";
import { repositoryRoot } from "../util/git.ts";

const COMMITS = 5;
const MOST_STATUS_CHARS = 2000;
const PATIENCE_MS = 3000;

export type GitFact = "branch" | "mainBranch" | "user" | "changes" | "commits";

/**
 * The state of the repository around `cwd` in a few lines; "" outside of one. Git runs programs that a repository's own
 * settings name (file monitors, filters), so for one that is not trusted only the branch is told, without git.
 */
export async function gitStatus(cwd: string, mayRunGit: boolean): Promise<string> {
  const facts = await Promise.all(LINES.map(async ({ fact }) => await gitFact(fact, cwd, mayRunGit)));
  return LINES.flatMap(({ title }, at) => (facts[at] ? [`${title}${facts[at]}`] : [])).join("\n");
}

const LINES: readonly { fact: GitFact; title: string }[] = [
  { fact: "branch", title: "Current branch: " },
  { fact: "mainBranch", title: "Main branch: " },
  { fact: "user", title: "Git user: " },
  { fact: "changes", title: "Status:\n" },
  { fact: "commits", title: "Recent commits:\n" },
];

/** One of them alone; "" when it is not known. */
export async function gitFact(fact: GitFact, cwd: string, mayRunGit: boolean): Promise<string> {
  const root = repositoryRoot(cwd);
  if (root === undefined) return "";
  if (!mayRunGit && fact !== "branch") return "";
  switch (fact) {
    case "branch":
      return (await branchOf(root)) ?? "";
    case "mainBranch":
      return (await git(cwd, ["symbolic-ref", "--short", "refs/remotes/origin/HEAD"])).replace(
        /^origin\//,
        "",
      );
    case "user":
      return await git(cwd, ["config", "user.name"]);
    case "changes":
      return shortened((await git(cwd, ["status", "--short"])) || "(clean)");
    case "commits":
      return await git(cwd, ["log", "--oneline", "-n", String(COMMITS)]);
  }
}

/** Bytes. */
const LONGEST_HEAD = 64 * 1024;

/** Undefined when no branch is checked out, or in a linked worktree. */
async function branchOf(root: string): Promise<string | undefined> {
  const head = (await readOrdinaryText(join(root, ".git", "HEAD"), LONGEST_HEAD)) ?? "";
  return /^ref: refs\/heads\/(.+)/.exec(head)?.[1];
}

/** What git prints, without blanks at the end; "" when it fails, or takes too long. */
async function git(cwd: string, args: readonly string[]): Promise<string> {
  try {
    const child = Bun.spawn(["git", "--no-optional-locks", "-c", "core.fsmonitor=false", ...args], {
      cwd,
      env: gitEnvironment(),
      stdio: ["ignore", "pipe", "ignore"],
      timeout: PATIENCE_MS,
    });
    const text = await new Response(child.stdout).text();
    return (await child.exited) === 0 ? text.trimEnd() : "";
  } catch {
    return "";
  }
}

/** Filters that a repository configures are started by git, and no key of ours is for them. */
function gitEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "LANG", "LC_ALL", "USERPROFILE", "SYSTEMROOT"];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function shortened(status: string): string {
  if (status.length <= MOST_STATUS_CHARS) return status;
  return `${status.slice(0, MOST_STATUS_CHARS)}\n(more changes were left out; run git status to see them)`;
}
