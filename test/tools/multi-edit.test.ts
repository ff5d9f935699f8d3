import { expect, test } from "bun:test";
import { multiEdit } from "../../src/tools/multi-edit.ts";
import { read } from "../../src/tools/read.ts";
import { workbench } from "./files/workbench.ts";

test("several texts are replaced in one go, each in what the one before has made", async () => {
  await using bench = await workbench({ "a.txt": "one\r\ntwo\r\n" });
  const edits = [
    { oldText: "one", newText: "1" },
    { oldText: "1\ntwo", newText: "2" },
  ];
  const result = await bench.call(multiEdit, { path: "a.txt", edits });
  expect(result.fields).toEqual({ case: "replaced", path: bench.path("a.txt"), replacements: 2 });
  expect(await bench.text("a.txt")).toBe("2\r\n");
});

const REFUSED: readonly [title: string, edits: object[], text: string][] = [
  [
    "a text that is not there",
    [
      { oldText: "one", newText: "1" },
      { oldText: "none", newText: "" },
    ],
    "edit 2 of 2: ",
  ],
  ["a text that stands there twice", [{ oldText: "same", newText: "x" }], "stands 2 times"],
  ["an empty text", [{ oldText: "", newText: "x" }], "oldText is empty"],
  ["edits that come to nothing", [{ oldText: "one", newText: "one" }], "change nothing"],
];
for (const [title, edits, text] of REFUSED)
  test(`${title} leaves the file as it was`, async () => {
    await using bench = await workbench({ "a.txt": "one\nsame\nsame\n" });
    const result = await bench.call(multiEdit, { path: "a.txt", edits });
    expect(result.ok).toBe(false);
    expect(result.content).toEqual([{ type: "input_text", text: expect.stringContaining(text) }]);
    expect(await bench.text("a.txt")).toBe("one\nsame\nsame\n");
  });

test("a missing file and one that has changed since it was read are told apart", async () => {
  await using bench = await workbench({ "a.txt": "one\n" });
  const edits = [{ oldText: "two", newText: "x" }];
  expect((await bench.call(multiEdit, { path: "none.txt", edits })).fields?.["case"]).toBe("missing");
  await bench.call(read, { path: "a.txt" });
  await bench.put({ "a.txt": "two\n" });
  expect((await bench.call(multiEdit, { path: "a.txt", edits })).fields?.["case"]).toBe("stale");
});
