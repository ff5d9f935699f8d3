import { expect, test } from "bun:test";
import { type ParsedPatch, parsePatch } from "../../../src/tools/patch/parse.ts";

const body = "*** Update File: f.txt\n@@\n-a\n+A";
const updateOfF: ParsedPatch = {
  hunks: [
    {
      kind: "update",
      path: "f.txt",
      chunks: [
        {
          headers: [],
          lines: [
            { op: "-", text: "a" },
            { op: "+", text: "A" },
          ],
          endOfFile: false,
        },
      ],
    },
  ],
};

test("a patch is read into its hunks, paths as they are written", () => {
  const text = `*** Begin Patch
*** Add File: ./new dir/n.txt
+one
+
*** Delete File: old.txt
*** Update File: a.ts
*** Move to: b.ts
@@ class A
@@   run() {
 keep
-gone
+here
*** End of File
*** End Patch`;
  expect(parsePatch(text)).toEqual({
    hunks: [
      { kind: "add", path: "./new dir/n.txt", lines: ["one", ""] },
      { kind: "delete", path: "old.txt" },
      {
        kind: "update",
        path: "a.ts",
        moveTo: "b.ts",
        chunks: [
          {
            headers: ["class A", "  run() {"],
            lines: [
              { op: " ", text: "keep" },
              { op: "-", text: "gone" },
              { op: "+", text: "here" },
            ],
            endOfFile: true,
          },
        ],
      },
    ],
  });
});

const wrapped: Readonly<Record<string, string>> = {
  "blank lines and blanks around the markers": `\n  *** Begin Patch  \n${body}\n *** End Patch \n\n`,
  "a Markdown fence": `\`\`\`diff\n*** Begin Patch\n${body}\n*** End Patch\n\`\`\`\n`,
  "a here-document": `<<'EOF'\n*** Begin Patch\n${body}\n*** End Patch\nEOF`,
  "a here-document with the program's name in a fence": `\`\`\`\napply_patch <<"X"\n*** Begin Patch\n${body}\n*** End Patch\nX\n\`\`\``,
  "stars on both sides": `*** Begin Patch ***\n${body.replace("f.txt", "f.txt ***")}\n*** End Patch ***`,
  "CRLF line ends": `*** Begin Patch\r\n${body.replaceAll("\n", "\r\n")}\r\n*** End Patch\r\n`,
  "a byte order mark": `\uFEFF*** Begin Patch\n${body}\n*** End Patch`,
  "an environment id": `*** Begin Patch\n*** Environment ID: e1\n${body}\n*** End Patch`,
  "no @@ before the first lines": `*** Begin Patch\n${body.replace("@@\n", "")}\n*** End Patch`,
  "file lines of a unified diff": `*** Begin Patch\n${body.replace("@@", "--- a/f.txt\n+++ b/f.txt\n@@")}\n*** End Patch`,
  "empty lines before the next header": `*** Begin Patch\n\n${body}\n\n\n*** End Patch`,
};
for (const [what, text] of Object.entries(wrapped))
  test(`a patch with ${what} is the same patch`, () => {
    expect(parsePatch(text)).toEqual(updateOfF);
  });

test("line numbers of a unified diff, and the words behind them, are a hint at the place", () => {
  const numbered = body.replace("@@", "@@ -7,3 +9,4 @@ function f()");
  expect(parsePatch(`*** Begin Patch\n${numbered}\n*** End Patch`)).toMatchObject({
    hunks: [{ chunks: [{ headers: [], hint: { line: 7, words: "function f()" } }] }],
  });
});

test("an empty line between the lines of a chunk is an empty line of the file", () => {
  const parsed = parsePatch("*** Begin Patch\n*** Update File: f\n@@\n a\n\n-b\n*** End Patch");
  expect(parsed).toMatchObject({
    hunks: [{ chunks: [{ lines: [{ text: "a" }, { op: " ", text: "" }, { text: "b" }] }] }],
  });
});

test("a blank line between added lines is an empty line of the new file", () => {
  const parsed = parsePatch(
    "*** Begin Patch\n*** Add File: f\n+a\n\n+b\n\n*** Delete File: g\n*** End Patch",
  );
  expect(parsed).toEqual({
    hunks: [
      { kind: "add", path: "f", lines: ["a", "", "b"] },
      { kind: "delete", path: "g" },
    ],
  });
});

test("lines that look like markers are content behind a blank, a plus or a minus", () => {
  const parsed = parsePatch(
    "*** Begin Patch\n*** Update File: f\n@@\n *** hello\n @@\n-b\n+*** End Patch\n*** End Patch",
  );
  expect(parsed).toMatchObject({
    hunks: [
      {
        chunks: [
          { lines: [{ text: "*** hello" }, { text: "@@" }, { text: "b" }, { text: "*** End Patch" }] },
        ],
      },
    ],
  });
});

test("a removed SQL comment before an added line is not a file line of a unified diff", () => {
  const parsed = parsePatch("*** Begin Patch\n*** Update File: f.sql\n--- old\n+++ new\n*** End Patch");
  expect(parsed).toMatchObject({
    hunks: [
      {
        chunks: [
          {
            lines: [
              { op: "-", text: "-- old" },
              { op: "+", text: "++ new" },
            ],
          },
        ],
      },
    ],
  });
});

test("a patch without hunks is read as such", () => {
  expect(parsePatch("*** Begin Patch\n*** End Patch")).toEqual({ hunks: [] });
});

const wrong: readonly [what: string, text: string, problem: { line?: number; message: string }][] = [
  [
    "text that is not a patch",
    "garbage",
    { message: "The first line of the patch must be '*** Begin Patch'" },
  ],
  [
    "a patch that is cut off",
    `*** Begin Patch\n${body}`,
    { message: "The last line of the patch must be '*** End Patch'" },
  ],
  [
    "only the first line",
    "*** Begin Patch",
    { message: "The last line of the patch must be '*** End Patch'" },
  ],
  [
    "an unknown header",
    "*** Begin Patch\n*** Frobnicate: x\n*** End Patch",
    {
      line: 2,
      message:
        "'*** Frobnicate: x' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
    },
  ],
  [
    "an update without lines",
    "*** Begin Patch\n*** Delete File: d\n*** Update File: f.txt\n*** End Patch",
    { line: 3, message: "Update file hunk for path 'f.txt' is empty" },
  ],
  [
    "a header without lines",
    "*** Begin Patch\n*** Update File: f.txt\n@@ x\n*** End Patch",
    { line: 3, message: "Update hunk does not contain any lines" },
  ],
  [
    "a line without a sign",
    "*** Begin Patch\n*** Update File: f.txt\n@@\nnaked\n*** End Patch",
    {
      line: 4,
      message:
        "Unexpected line found in update hunk: 'naked'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
    },
  ],
];
for (const [what, text, problem] of wrong)
  test(`${what} is refused with its place`, () => {
    expect(parsePatch(text)).toEqual({ problem });
  });

test("a move needs no changed lines", () => {
  expect(parsePatch("*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch")).toEqual({
    hunks: [{ kind: "update", path: "a", moveTo: "b", chunks: [] }],
  });
});
