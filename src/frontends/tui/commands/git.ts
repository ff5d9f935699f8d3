type Place = { cwd: string; env: Readonly<Record<string, string | undefined>> };

/** The output of git; undefined where it fails. Of `--no-index`, a difference (status 1) is no failure. */
export async function git({ cwd, env }: Place, args: readonly string[]): Promise<string | undefined> {
  const child = Bun.spawn(["git", "-c", "core.quotepath=off", ...args], {
    cwd,
    env: { ...env, GIT_OPTIONAL_LOCKS: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const text = await new Response(child.stdout).text();
  const code = await child.exited;
  return code === 0 || (code === 1 && args.includes("--no-index")) ? text : undefined;
}
