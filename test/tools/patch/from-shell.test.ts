import { expect, test } from "bun:test";
import { patchFromShell } from "../../../src/tools/patch/from-shell.ts";

const patch = '*** Begin Patch\n*** Add File: n.txt\n+it\'s "$HOME" `x` \\n\n*** End Patch';
const plain = "*** Begin Patch\n*** Add File: n.txt\n+hi\n*** End Patch";

const taken: readonly [title: string, script: string, result: { patch: string; workdir?: string }][] = [
  ["a quoted here-document", `apply_patch <<'EOF'\n${patch}\nEOF`, { patch: `${patch}\n` }],
  ["double quotes around the delimiter", `applypatch << "PATCH"\n${patch}\nPATCH\n`, { patch: `${patch}\n` }],
  ["blanks around it", `\n  apply_patch <<'EOF'\n${plain}\nEOF  \n`, { patch: `${plain}\n` }],
  [
    "an unquoted delimiter with escapes",
    "apply_patch <<EOF\na \\$b \\`c\\` \\\\ d\nEOF",
    { patch: "a $b `c` \\ d\n" },
  ],
  ["an unquoted delimiter without escapes", "apply_patch <<EOF\na $b \\\\d\nEOF", { patch: "a $b \\\\d\n" }],
  ["tabs in front with <<-", "apply_patch <<-'EOF'\n\ta\n\tEOF", { patch: "a\n" }],
  [
    "a folder",
    `cd src/app && apply_patch <<'EOF'\n${plain}\nEOF`,
    { patch: `${plain}\n`, workdir: "src/app" },
  ],
  [
    "a quoted folder",
    `cd "my dir" && apply_patch <<'EOF'\n${plain}\nEOF`,
    { patch: `${plain}\n`, workdir: "my dir" },
  ],
  ["an argument in single quotes", `apply_patch '${plain}'`, { patch: plain }],
  ["an argument with a quote inside", `apply_patch '${patch.replaceAll("'", `'\\''`)}'`, { patch }],
  ["an argument in double quotes", `apply_patch "${patch.replace(/["$`\\]/g, "\\$&")}"`, { patch }],
  [
    "bash -lc around a here-document",
    `bash -lc "apply_patch <<'EOF'\n${plain}\nEOF"`,
    { patch: `${plain}\n` },
  ],
  [
    "a shell with its folder",
    `/bin/sh -c 'cd x && apply_patch <<EOF\n${plain}\nEOF\n'`,
    { patch: `${plain}\n`, workdir: "x" },
  ],
  ["nothing but the patch", `${plain}\n`, { patch: plain }],
];
for (const [title, script, result] of taken)
  test(`${title}: the patch is taken out`, () => {
    expect(patchFromShell(script)).toEqual(result);
  });

const left: Readonly<Record<string, string>> = {
  "another command": "echo hi",
  "a command before it": `git status; apply_patch <<'EOF'\n${plain}\nEOF`,
  "a command after it": `apply_patch <<'EOF'\n${plain}\nEOF\necho done`,
  "a command beside it": `apply_patch <<'EOF' && echo done\n${plain}\nEOF`,
  "an open here-document": `apply_patch <<'EOF'\n${plain}`,
  "a folder that only the shell knows": `cd $DIR && apply_patch <<'EOF'\n${plain}\nEOF`,
  "a folder change that may fail unseen": `cd x; apply_patch <<'EOF'\n${plain}\nEOF`,
  "a second argument": `apply_patch '${plain}' --check`,
  "a file as the argument": "apply_patch change.patch",
  "an open quote": `apply_patch '${plain}`,
  "a patch that is only mentioned": `grep apply_patch README.md`,
  "a shell in a shell": `bash -c 'bash -c "apply_patch change"'`,
};
for (const [title, script] of Object.entries(left))
  test(`${title}: the script is left to the shell`, () => {
    expect(patchFromShell(script)).toBeUndefined();
  });
