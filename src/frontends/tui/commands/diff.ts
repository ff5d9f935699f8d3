import type { Port } from "../port.ts";
import { safe, wrap } from "../view/text.ts";
import type { Theme } from "../view/theme.ts";
import { git } from "./git.ts";
import type { CommandPort } from "./types.ts";

const MOST_UNTRACKED = 200;

/** What is changed in the working folder, file by file, on the alternate screen. */
export async function showDiff(port: Port): Promise<void> {
  const files = await changedFiles(port);
  if (!files) return;
  const cells = files.map((file) => ({
    rows: (width: number) => diffRows(file, width, port.theme),
    text: file,
    name: nameOf(file),
  }));
  const title = `diff · ${files.length} file${files.length === 1 ? "" : "s"}`;
  await port.page({ title, cells, startsAtEnd: false });
}

/** Of the file whose difference begins with `diff --git a/NAME b/NAME`; the new name, where it was renamed. */
function nameOf(file: string): string {
  return /^diff --git .* b\/(.*)$/m.exec(file)?.[1] ?? "a file";
}

/** The same in lines. */
export async function printDiff(port: CommandPort): Promise<void> {
  const files = await changedFiles(port);
  if (files) port.notice({ level: "info", text: files.join("").trimEnd() });
}

/** The difference of each file; undefined when there is none, which is said. */
async function changedFiles(port: CommandPort): Promise<string[] | undefined> {
  const tracked = await git(port, ["diff", "HEAD", "--no-color", "--no-ext-diff"]);
  if (tracked === undefined) {
    port.notice({ level: "warning", text: "There is no Git repository here, or it has no commit yet." });
    return undefined;
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
    return undefined;
  }
  return text.split(/^(?=diff --git )/m);
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
      return wrap(line.replace(/^\+\+\+ (?:b\/)?/, ""), width).map((row) => paint(row));
    });
}
