import { expect, test } from "bun:test";
import { main } from "../../../src/frontends/apply-patch/main.ts";
import type { Io } from "../../../src/protocol/program.ts";
import { workbench } from "../../tools/files/workbench.ts";

async function runMain(cwd: string, argv: readonly string[], stdin?: string) {
  const out = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof out) => ({
    isTty: false,
    columns: 80,
    write: async (text: string) => {
      out[name] += text;
    },
  });
  const io: Io = {
    stdin: { isTty: stdin === undefined, stream: () => new Blob([stdin ?? ""]).stream() },
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    env: {},
    cwd,
    signal: new AbortController().signal,
  };
  return { exitCode: await main(argv, io), ...out };
}

const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;

test("a patch as the argument is applied and reported", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  const body = "*** Update File: f.txt\n@@\n-a\n+A\n*** Add File: n.txt\n+1";
  expect(await runMain(bench.cwd, [patch(body)])).toEqual({
    exitCode: 0,
    stdout: "Success. Updated the following files:\nA n.txt\nM f.txt\n",
    stderr: "",
  });
  expect(await bench.files()).toEqual({ "f.txt": "A\n", "n.txt": "1\n" });
});

test("a patch on standard input is applied", async () => {
  await using bench = await workbench();
  expect(await runMain(bench.cwd, [], `${patch("*** Add File: n.txt\n+1")}\n`)).toMatchObject({
    exitCode: 0,
  });
  expect(await bench.files()).toEqual({ "n.txt": "1\n" });
});

test("help is told, whatever stands on standard input", async () => {
  await using bench = await workbench();
  expect(await runMain(bench.cwd, ["--help"], "x")).toEqual({
    exitCode: 0,
    stdout: "Usage: apply_patch 'PATCH'\n       echo 'PATCH' | apply_patch\n",
    stderr: "",
  });
});

const failures: readonly [title: string, text: string, stderr: string][] = [
  ["no patch", "garbage", "Invalid patch: The first line of the patch must be '*** Begin Patch'\n"],
  [
    "a name with a NUL",
    patch("*** Add File: a\0b\n+1"),
    "Failed to write file {cwd}/a\0b: Invalid file name\n",
  ],
  [
    "a cut patch",
    "*** Begin Patch\n*** Delete File: f",
    "Invalid patch: The last line of the patch must be '*** End Patch'\n",
  ],
  [
    "a wrong hunk",
    patch("*** Update File: f.txt"),
    "Invalid patch hunk on line 2: Update file hunk for path 'f.txt' is empty\n",
  ],
  ["a patch without hunks", patch("").replace("\n\n", "\n"), "No files were modified.\n"],
  [
    "lines that are not there",
    patch("*** Update File: f.txt\n@@\n-z\n+y"),
    "Failed to find expected lines in {cwd}/f.txt:\nz\n",
  ],
  ["a folder to delete", patch("*** Delete File: d"), "Failed to delete file {cwd}/d\n"],
  [
    "a missing file",
    patch("*** Update File: no.txt\n@@\n-z\n+y"),
    "Failed to read file to update {cwd}/no.txt: No such file or directory (os error 2)\n",
  ],
];
for (const [title, text, stderr] of failures)
  test(`${title}: exit code 1, the reason on stderr, nothing changed`, async () => {
    await using bench = await workbench({ "f.txt": "a\n", "d/x": "1\n" });
    expect(await runMain(bench.cwd, [text])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: stderr.replace("{cwd}", bench.cwd),
    });
    expect(await bench.files()).toEqual({ "d/x": "1\n", "f.txt": "a\n" });
  });

test("no patch at all and two arguments are usage errors", async () => {
  await using bench = await workbench();
  const usage = "Usage: apply_patch 'PATCH'\n       echo 'PATCH' | apply_patch\n";
  expect([
    await runMain(bench.cwd, []),
    await runMain(bench.cwd, [], ""),
    await runMain(bench.cwd, ["a", "b"]),
  ]).toEqual([
    { exitCode: 2, stdout: "", stderr: usage },
    { exitCode: 2, stdout: "", stderr: usage },
    { exitCode: 2, stdout: "", stderr: `Error: apply_patch accepts exactly one argument.\n${usage}` },
  ]);
});
