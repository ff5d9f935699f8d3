import type { Port } from "../port.ts";
import { safe, wrap } from "../view/text.ts";
import type { Theme } from "../view/theme.ts";

const MOST_UNTRACKED = 200;

/** What is changed in the working folder, file by file, on the alternate screen. */
export async function showDiff(port: Port): Promise<void> {
  const tracked = await git(port, ["diff", "HEAD", "--no-color", "--no-ext-diff"]);
  if (tracked === undefined) {
    port.notice({ level: "warning", text: "There is no Git repository here, or it has no commit yet." });
    return;
  }
  const listed = (await git(port, ["ls-files", "--others", "--exclude-standard", "-z"])) ?? "";
  const names = listed
    .split("\0")
    .filter((name) => name !== "")
    .slice(0, MOST_UNTRACKED);
  const added = await Promise.all(
    names.map((name) =>
      git(port, ["diff", "--no-color", "--no-ext-diff", "--no-index", "--", "/dev/null", name]),
    ),
  );
  const text = tracked + added.join("");
  if (text.trim() === "") {
    port.notice({ level: "info", text: "Nothing is changed." });
    return;
  }
  const cells = text.split(/^(?=diff --git )/m).map((file) => ({
    rows: (width: number) => diffRows(file, width, port.theme),
    text: file,
  }));
  await port.page({
    title: `diff · ${cells.length} file${cells.length === 1 ? "" : "s"}`,
    cells,
    startsAtEnd: false,
  });
}

function diffRows(file: string, width: number, theme: Theme): string[] {
  return safe(file)
    .split("\n")
    .filter((line) => !/^(?:diff --git|index |new file|deleted file|--- |similarity)/.test(line))
    .flatMap((line) => {
      const paint = line.startsWith("+++")
        ? theme.heading
        : line.startsWith("+")
          ? theme.added
          : line.startsWith("-")
            ? theme.removed
            : line.startsWith("@@")
              ? theme.dim
              : (text: string) => text;
      return wrap(line.replace(/^\+\+\+ (?:b\/)?/, ""), width).map(paint);
    });
}

/** The output of git; undefined where it fails. A difference (status 1) is no failure. */
async function git(port: Port, args: readonly string[]): Promise<string | undefined> {
  const child = Bun.spawn(["git", "-c", "core.quotepath=off", ...args], {
    cwd: port.cwd,
    env: { ...port.io.env, GIT_OPTIONAL_LOCKS: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const text = await new Response(child.stdout).text();
  const code = await child.exited;
  return code === 0 || (code === 1 && args.includes("--no-index")) ? text : undefined;
}
