import { expect, test } from "bun:test";
import { applyEdit, draftOf, type Edit } from "../../../../src/frontends/tui/input/draft.ts";

/** The text with a bar where the cursor stands. */
function after(marked: string, edits: Edit[], atoms: string[] = []): string {
  const at = marked.indexOf("|");
  const start = { ...draftOf(marked.replace("|", "")), cursor: at };
  const { text, cursor } = edits.reduce((draft, edit) => applyEdit(draft, edit, atoms), start);
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

const move = (to: Extract<Edit, { edit: "move" }>["to"]): Edit => ({ edit: "move", to });

test.each([
  ["ab|c", [{ edit: "insert", text: "X" }], "abX|c"],
  ["ab|c", [{ edit: "backspace" }], "a|c"],
  ["ab|c", [{ edit: "delete" }], "ab|"],
  ["|abc", [{ edit: "backspace" }], "|abc"],
  ["日本👩‍👩‍👧|x", [{ edit: "backspace" }], "日本|x"],
  ["e\u0301|x", [{ edit: "backspace" }], "|x"],
  ["👩‍💻|", [move("left")], "|👩‍💻"],
  ["one two.ts|", [{ edit: "kill", what: "word_back" }], "one two.|"],
  ["one  |two", [move("word_left")], "|one  two"],
  ["|one two", [move("word_right")], "one| two"],
  ["one\ntwo| three", [{ edit: "kill", what: "to_start" }], "one\n| three"],
  ["one\n|two", [{ edit: "kill", what: "to_start" }], "one|two"],
  ["one|\ntwo", [{ edit: "kill", what: "to_end" }], "one|two"],
  ["one |two\nx", [{ edit: "kill", what: "to_end" }, move("end"), { edit: "yank" }], "one \nxtwo|"],
  ["日本語\nabcdef|", [move("line_up")], "日本語|\nabcdef"],
  ["日本|語\nabcdef", [move("line_down")], "日本語\nabcd|ef"],
  ["abc|", [move("line_up")], "|abc"],
  ["a|bc", [move("line_down")], "abc|"],
  ["a\nb|", [{ edit: "insert", text: "c" }, { edit: "undo" }, { edit: "undo" }], "a\nb|"],
] satisfies [string, Edit[], string][])("%s, %j", (marked, edits, wanted) => {
  expect(after(marked, edits)).toBe(wanted);
});

test("an atom goes as a whole, and is stepped over as a whole", () => {
  const atom = "[Pasted #1 · 300 lines]";
  expect(after(`a ${atom}| b`, [{ edit: "backspace" }], [atom])).toBe("a | b");
  expect(after(`a ${atom}| b`, [move("left")], [atom])).toBe(`a |${atom} b`);
  expect(after(`a |${atom} b`, [{ edit: "delete" }], [atom])).toBe("a | b");
});

test("of a giant draft the last states can be had back, not all of them", () => {
  let draft = draftOf("x".repeat(3 * 1024 * 1024));
  for (const text of ["a", "b", "c"]) draft = applyEdit(draft, { edit: "insert", text });
  expect(draft.past.map(({ text }) => text.slice(-2))).toEqual(["xa", "ab"]);
  let small = draftOf("");
  for (let i = 0; i < 300; i++) small = applyEdit(small, { edit: "insert", text: "x" });
  expect(small.past.length).toBe(200);
});
