import { expect, test } from "bun:test";
import { chmod, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { findRipgrep } from "../../src/tools/files/grep-ripgrep.ts";
import { grep } from "../../src/tools/grep.ts";
import { workbench } from "./files/workbench.ts";

const tree = {
  ".gitignore": "out\n*.gen.ts\n",
  ".github/ci.yml": "run: parse\n",
  "a.ts": "import x\nexport function parse(s) {\n  return Parse(s);\n}\n",
  "b/c.ts": "one\r\nparse()\r\nthree\r\nfour\r\nfive\r\nparse(1)\r\n",
  "b/d.gen.ts": "parse\n",
  "data.bin": Uint8Array.of(112, 97, 114, 115, 101, 0, 10),
  "node_modules/m/i.js": "parse\n",
  "out/e.ts": "parse\n",
  "z.md": "a.b parse [x]\n",
};

const answers: readonly [title: string, input: object, text: string][] = [
  [
    "matching lines with their places",
    { pattern: "parse" },
    ".github/ci.yml:1:run: parse\na.ts:2:export function parse(s) {\nb/c.ts:2:parse()\nb/c.ts:6:parse(1)\nz.md:1:a.b parse [x]",
  ],
  ["files", { pattern: "parse", output: "files" }, ".github/ci.yml\na.ts\nb/c.ts\nz.md"],
  ["counts", { pattern: "(?i)parse", output: "count" }, ".github/ci.yml:1\na.ts:2\nb/c.ts:2\nz.md:1"],
  [
    "no case",
    { pattern: "PARSE", ignoreCase: true, path: "a.ts", lineNumbers: false },
    "a.ts:export function parse(s) {\na.ts:  return Parse(s);",
  ],
  [
    "lines around",
    { pattern: "parse", path: "b/c.ts", context: 1 },
    "b/c.ts-1-one\nb/c.ts:2:parse()\nb/c.ts-3-three\n--\nb/c.ts-5-five\nb/c.ts:6:parse(1)",
  ],
  [
    "lines after, touching pieces joined",
    { pattern: "one|three", path: "b/c.ts", after: 1 },
    "b/c.ts:1:one\nb/c.ts-2-parse()\nb/c.ts:3:three\nb/c.ts-4-four",
  ],
  ["a name pattern", { pattern: "parse", glob: "*.md" }, "z.md:1:a.b parse [x]"],
  ["several name patterns", { pattern: "parse", glob: ["*.md", "*.none"] }, "z.md:1:a.b parse [x]"],
  ["what is left out", { pattern: "parse", exclude: ["b/**", "*.yml", "a.ts"] }, "z.md:1:a.b parse [x]"],
  ["a path pattern", { pattern: "parse", glob: "b/**" }, "b/c.ts:2:parse()\nb/c.ts:6:parse(1)"],
  ["literal text", { pattern: "[x]", literal: true }, "z.md:1:a.b parse [x]"],
  ["classes and anchors", { pattern: "^p[[:alpha:]]+\\(\\)$" }, "b/c.ts:2:parse()"],
  ["escapes outside of the strict syntax", { pattern: "a\\.b\\-? parse" }, "z.md:1:a.b parse [x]"],
  [
    "several lines",
    { pattern: "x\\nexport.*\\n  return", multiline: true },
    "a.ts:1:import x\na.ts:2:export function parse(s) {\na.ts:3:  return Parse(s);",
  ],
  [
    "a limit",
    { pattern: "parse", limit: 3 },
    ".github/ci.yml:1:run: parse\na.ts:2:export function parse(s) {\nb/c.ts:2:parse()\n(the first 3 matching lines; narrow the pattern or the path for the rest)",
  ],
  [
    "a limit of files",
    { pattern: "parse", output: "files", limit: 1 },
    ".github/ci.yml\n(the first 1 files; narrow the pattern or the path for the rest)",
  ],
  ["nothing", { pattern: "nowhere" }, "No matches found"],
  ["an ignored file that is named", { pattern: "parse", path: "out/e.ts" }, "out/e.ts:1:parse"],
];

const rg = Bun.which("rg");
const engines = rg === null ? ["own walker"] : ["own walker", "ripgrep"];
if (rg === null)
  process.stderr.write("skipped: ripgrep is not installed, so it is not compared with the own walker\n");

function envOf(engine: string): { env: Record<string, string> } {
  return { env: { PATH: engine === "ripgrep" && rg !== null ? dirname(rg) : "" } };
}

for (const engine of engines) {
  for (const inRepository of [false, true])
    test.each(answers)(`${engine}${inRepository ? " in a repository" : ""}: %s`, async (_, input, text) => {
      await using bench = await workbench(inRepository ? { ...tree, ".git/HEAD": "parse\n" } : tree);
      expect(await bench.ask(grep, input, envOf(engine))).toBe(text);
    });

  test(`${engine}: a pattern that is not a regular expression is refused with advice`, async () => {
    await using bench = await workbench(tree);
    const result = await bench.call(grep, { pattern: "foo(" }, envOf(engine));
    expect(result).toMatchObject({ ok: false });
    expect(result.content).toEqual([
      {
        type: "input_text",
        text: expect.stringMatching(
          /^the pattern is not a regular expression: [\s\S]*\nTo search for the text as it is, put a \\ before each special character$/,
        ),
      },
    ]);
  });

  test(`${engine}: a very long line is cut`, async () => {
    await using bench = await workbench({ "f.txt": `x${"y".repeat(600)}\n` });
    expect(await bench.ask(grep, { pattern: "xy" }, envOf(engine))).toBe(
      `f.txt:1:x${"y".repeat(499)}… (101 more characters)`,
    );
  });

  test.skipIf(process.platform === "win32")(`${engine}: a pipe is not waited for`, async () => {
    await using bench = await workbench({});
    Bun.spawnSync(["mkfifo", bench.path("pipe")]);
    expect((await bench.call(grep, { pattern: "x", path: "pipe" }, envOf(engine))).ok).toBe(false);
  });
}

test("what a policy hides is not searched", async () => {
  await using bench = await workbench(tree);
  const policy = {
    mode: "restricted" as const,
    read: "everything" as const,
    write: [],
    protect: [],
    deny: [bench.path("b"), "/**/*.md"],
    network: false,
  };
  expect(await bench.ask(grep, { pattern: "parse", output: "files" }, { policy })).toBe(
    ".github/ci.yml\na.ts",
  );
});

test("a missing path is refused with the nearest one", async () => {
  await using bench = await workbench(tree);
  expect(await bench.ask(grep, { pattern: "x", path: "a.js" })).toBe(
    `${bench.path("a.js")} does not exist. Did you mean a.ts?`,
  );
});

test("a ripgrep that the work could have put there is not started", async () => {
  await using bench = await workbench({ "bin/rg": "#!/bin/sh\n" });
  await using outside = await workbench({ "bin/rg": "#!/bin/sh\n", "plain/rg": "" });
  for (const program of [bench.path("bin/rg"), outside.path("bin/rg")]) await chmod(program, 0o755);
  await symlink(bench.path("bin/rg"), outside.path("rg"));
  const policy = {
    mode: "restricted" as const,
    read: "everything" as const,
    write: [],
    protect: [],
    deny: [],
    network: false,
  };
  const found = (path: string, write: string[] = []) =>
    findRipgrep({ ...bench.ctx, policy: { ...policy, write }, env: { PATH: path } });
  expect([
    await found(`bin:${bench.path("bin")}:${outside.cwd}:${outside.path("plain")}:${outside.path("bin")}`),
    await found(bench.path("bin")),
    await found(outside.path("bin"), [outside.cwd]),
  ]).toEqual([outside.path("bin/rg"), undefined, undefined]);
});

test("a search can be kept to a kind of file, take ignored files in, leave out its beginning, and mark its files", async () => {
  await using bench = await workbench({
    ".gitignore": "out\n",
    "out/a.ts": "x\n",
    "b.tsx": "x\nx\n",
    "c.py": "x\n",
  });
  const found = async (input: object) =>
    (await bench.call(grep, { pattern: "x", ...input })).fields?.["text"];
  expect(await found({ output: "files", type: "ts" })).toBe("b.tsx");
  expect(await found({ output: "files", type: "rb" })).toBe("");
  expect(await found({ output: "files", includeIgnored: true })).toBe("b.tsx\nc.py\nout/a.ts");
  expect(await found({ offset: 1, limit: 1 })).toBe("b.tsx:2:x");
  expect(await found({ limit: 0, offset: 2 })).toBe("c.py:1:x");
  expect(await found({ marked: true })).toBe("File: b.tsx\nL1: x\nL2: x\n---\nFile: c.py\nL1: x\n---");
});
