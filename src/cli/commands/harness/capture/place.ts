import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProbePlace } from "./probes.ts";

const PROMPT = "Please look around in this folder, probe one.";
const LINES = [1, 2, 3].map((n) => `probe line ${n}\n`).join("");

/** A repository with one commit and an empty home, both removed at the end. */
export async function makePlace(model: string, path: string): Promise<ProbePlace & AsyncDisposable> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "interpreter-capture-")));
  const [cwd, home] = [join(root, "probe-project"), join(root, "probe-home")];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  const place = {
    cwd,
    home,
    prompt: PROMPT,
    model,
    rules: "Rule of the probe project: keep lines short.",
    file: "probe.txt",
    branch: "probe-branch",
    mainBranch: "probe-main",
    user: "Probe Person",
    changed: "probe-new.txt",
    commit: "first probe commit",
  };
  await writeFile(join(cwd, place.file), LINES);
  await writeFile(join(cwd, "AGENTS.md"), `${place.rules}\n`);
  const git = async (...args: string[]) => {
    const env = { PATH: path, HOME: home, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const child = Bun.spawn(["git", ...args], {
      cwd,
      env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    await child.exited;
  };
  if (Bun.which("git", { PATH: path })) {
    await git("init", "-q", "-b", place.branch);
    await git("config", "user.name", place.user);
    await git("config", "user.email", "probe@localhost");
    await git("add", "-A");
    await git("commit", "-q", "-m", place.commit);
    await git("update-ref", `refs/remotes/origin/${place.mainBranch}`, "HEAD");
    await git("symbolic-ref", "refs/remotes/origin/HEAD", `refs/remotes/origin/${place.mainBranch}`);
    await writeFile(join(cwd, place.changed), "");
  }
  return { ...place, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
