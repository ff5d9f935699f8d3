import { expect, test } from "bun:test";
import { applyChunks } from "../../../src/tools/patch/apply-chunks.ts";
import { parsePatch } from "../../../src/tools/patch/parse.ts";

/** The text after the chunks, or the problem. */
function apply(before: string, chunks: string): string {
  const parsed = parsePatch(`*** Begin Patch\n*** Update File: f\n${chunks}\n*** End Patch`);
  const hunk = "hunks" in parsed ? parsed.hunks[0] : undefined;
  if (hunk?.kind !== "update") throw new Error(JSON.stringify(parsed));
  const applied = applyChunks(before, hunk.chunks, "/w/f");
  return "text" in applied ? applied.text : `problem: ${applied.problem}`;
}

const cases: readonly [title: string, before: string, chunks: string, after: string][] = [
  ["a line is replaced between its neighbours", "a\nb\nc\n", "@@\n a\n-b\n+B\n c", "a\nB\nc\n"],
  [
    "several chunks are applied in the order of the file",
    "a\nb\nc\nd\n",
    "@@\n-a\n+A\n@@\n-d\n+D",
    "A\nb\nc\nD\n",
  ],
  [
    "chunks may stand in another order than the file",
    "a\nb\nc\nd\n",
    "@@\n-d\n+D\n@@\n-a\n+A",
    "A\nb\nc\nD\n",
  ],
  [
    "the line number of a unified diff picks one of equal places",
    "x\ny\nx\n",
    "@@ -3,1 +3,1 @@\n-x\n+z",
    "x\ny\nz\n",
  ],
  [
    "the words behind wrong line numbers pick the place",
    "def a():\n  x\ndef b():\n  x\n",
    "@@ -90,2 +90,2 @@ def b():\n-  x\n+  y",
    "def a():\n  x\ndef b():\n  y\n",
  ],
  [
    "wrong line numbers and unknown words mean nothing",
    "a\nx\n",
    "@@ -90,2 +90,2 @@ def zzz():\n-x\n+y",
    "a\ny\n",
  ],
  ["equal chunks change one place each", "x\ny\nx\n", "@@\n-x\n+1\n@@\n-x\n+2", "1\ny\n2\n"],
  [
    "the header picks the place",
    "def a():\n  x\ndef b():\n  x\n",
    "@@ def b():\n-  x\n+  y",
    "def a():\n  x\ndef b():\n  y\n",
  ],
  [
    "headers after one another lead to the place",
    "class A:\n def f:\n  x\nclass B:\n def f:\n  x\n",
    "@@ class B:\n@@  def f:\n-  x\n+  y",
    "class A:\n def f:\n  x\nclass B:\n def f:\n  y\n",
  ],
  [
    "the beginning of one line is enough for a header",
    "class A(Base):\n  x\n",
    "@@ class A\n-  x\n+  y",
    "class A(Base):\n  y\n",
  ],
  [
    "the header may be repeated as the first line",
    "x\ndef f():\n  x\n",
    "@@ def f():\n def f():\n-  x\n+  y",
    "x\ndef f():\n  y\n",
  ],
  [
    "the same header may lead to two places",
    "class A:\n x\n y\nclass B:\n",
    "@@ class A:\n- x\n+ X\n@@ class A:\n- y\n+ Y",
    "class A:\n X\n Y\nclass B:\n",
  ],
  ["End of File means the last place", "x\ny\nx\n", "@@\n-x\n+z\n*** End of File", "x\ny\nz\n"],
  ["added lines alone go to the end", "a\nb\n", "@@\n+c", "a\nb\nc\n"],
  ["added lines alone go below their header", "a\nb\nc\n", "@@ b\n+B", "a\nb\nB\nc\n"],
  ["added lines alone go to the end of a file without a final line end", "a\nb", "@@\n+c", "a\nb\nc\n"],
  ["lines are added to an empty file", "", "@@\n+a", "a\n"],
  ["every line can be removed", "a\nb\n", "@@\n-a\n-b", ""],
  ["an empty last line that the file lacks is forgiven", "a\nb\n", "@@\n a\n-b\n-\n+B\n+", "a\nB\n"],
  ["a changed last line gets its line end", "a\nb", "@@\n a\n-b\n+B", "a\nB\n"],
  ["an untouched last line stays without a line end", "a\nb\nc", "@@\n-a\n+A", "A\nb\nc"],
  ["CRLF line ends are kept", "a\r\nb\r\nc\r\n", "@@\n a\n-b\n+B\n+B2\n c", "a\r\nB\r\nB2\r\nc\r\n"],
  ["mixed line ends stay where they are", "a\nb\r\nc\nd\r\ne\n", "@@\n c\n-d\n+D\n e", "a\nb\r\nc\nD\r\ne\n"],
  [
    "a byte order mark stays in front",
    "\uFEFFusing A;\r\nx\r\n",
    "@@\n-using A;\n+using Z;\n x",
    "\uFEFFusing Z;\r\nx\r\n",
  ],
  [
    "quoted lines keep their trailing blanks",
    "def f():  \n  return 1\t\n",
    "@@\n def f():\n-  return 1\n+  return 2",
    "def f():  \n  return 2\n",
  ],
  [
    "quoted lines keep their typography",
    "“hi” — it’s\u00A0ok\nold\n",
    '@@\n "hi" - it\'s ok\n-old\n+new',
    "“hi” — it’s\u00A0ok\nnew\n",
  ],
  ["replacement text is literal", "a\n", '@@\n-a\n+"$&$1$$" \\1', '"$&$1$$" \\1\n'],
  [
    "lost indentation comes from the line replaced",
    "class A:\n    def f(self):\n        return 1\n",
    "@@\n def f(self):\n-return 1\n+return 2",
    "class A:\n    def f(self):\n        return 2\n",
  ],
  [
    "a block that lost its outer indentation gets it back",
    "    if a:\n        b\n",
    "@@\n if a:\n-    b\n+    if c:\n+        d",
    "    if a:\n        if c:\n            d\n",
  ],
  ["a blank too many in front is taken away", "a\n  b\n", "@@\n  a\n-   b\n+   c", "a\n  c\n"],
  [
    "tabs of the file replace the blanks of the patch",
    "if a:\n\tb\n\tif c:\n\t\td\n",
    "@@\n if a:\n-    b\n+    if x:\n+        y",
    "if a:\n\tif x:\n\t\ty\n\tif c:\n\t\td\n",
  ],
];
for (const [title, before, chunks, after] of cases)
  test(title, () => {
    expect(apply(before, chunks)).toBe(after);
  });

const problems: readonly [title: string, before: string, chunks: string, problem: string][] = [
  [
    "a header that is nowhere is named",
    "a\n",
    "@@ def zzz():\n-a\n+b",
    "Failed to find context 'def zzz():' in /w/f",
  ],
  [
    "lines that are nowhere are quoted",
    "a\n",
    "@@\n-b\n-c\n+d",
    "Failed to find expected lines in /w/f:\nb\nc",
  ],
  [
    "a place is not changed twice",
    "a\nb\n",
    "@@\n-a\n+A\n@@\n-a\n+B",
    "Failed to find expected lines in /w/f:\na",
  ],
  [
    "lines whose indentation can't be known are refused",
    "class A:\n    def f(self):\n        return 1\n",
    "@@\n def f(self):\n-return 1\n+x = 1\n+return x",
    "Failed to find expected lines in /w/f:\ndef f(self):\nreturn 1\nLine 2 has this text with another indentation; copy the lines as they are:\n    def f(self):\n        return 1",
  ],
];
for (const [title, before, chunks, problem] of problems)
  test(title, () => {
    expect(apply(before, chunks)).toBe(`problem: ${problem}`);
  });

test("a change at the end of a very long file leaves every other line as it was", () => {
  const lines = Array.from({ length: 200_000 }, (_, i) => `line ${i}\n`);
  const after = apply(lines.join(""), "@@\n line 199998\n-line 199999\n+line END");
  expect(after === `${lines.slice(0, -1).join("")}line END\n`).toBe(true);
});
