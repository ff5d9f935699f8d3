import { expect, test } from "bun:test";
import { Screen } from "../../../src/frontends/tui/view/screen.ts";
import { FakeTerminal } from "../../support/terminal.ts";

function open(columns = 20, rows = 8) {
  const terminal = new FakeTerminal(columns, rows);
  return { terminal, screen: new Screen(terminal) };
}

test("committed rows stand above the live part, each once", () => {
  const { terminal, screen } = open();
  screen.paint(["› draft", "status"], { row: 0, column: 7 });
  screen.commit(["one", "two"]);
  screen.paint(["› draft", "status"], { row: 0, column: 7 });
  expect(terminal.history).toEqual(["one", "two", "› draft", "status"]);
  expect({ row: terminal.row, column: terminal.column }).toEqual({ row: 2, column: 7 });
});

test("only rows that changed are written", () => {
  const { terminal, screen } = open();
  screen.paint(["a", "b", "c"], { row: 2, column: 0 });
  terminal.written = "";
  screen.paint(["a", "B", "c"], { row: 2, column: 0 });
  expect(terminal.written).toContain("B");
  expect(terminal.written).not.toContain("c");
  expect(terminal.history).toEqual(["a", "B", "c"]);
});

test("a frame without a change writes no text", () => {
  const { terminal, screen } = open();
  screen.paint(["a", "b"], { row: 1, column: 1 });
  terminal.written = "";
  screen.paint(["a", "b"], { row: 1, column: 1 });
  expect(terminal.written.replace(/\u001b\[[?0-9;]*[A-Za-z]|\r/g, "")).toBe("");
});

test("a live part that shrinks leaves nothing behind", () => {
  const { terminal, screen } = open();
  screen.paint(["a", "b", "c", "d"], { row: 3, column: 0 });
  screen.paint(["a"], { row: 0, column: 1 });
  expect(terminal.history).toEqual(["a"]);
  screen.commit(["x"]);
  screen.paint(["y"], { row: 0, column: 0 });
  expect(terminal.history).toEqual(["x", "y"]);
});

test("of a live part taller than the screen the end is shown", () => {
  const { terminal, screen } = open(20, 4);
  screen.paint(["1", "2", "3", "4", "5"], { row: 4, column: 0 });
  expect(terminal.screen).toEqual(["3", "4", "5"]);
});

test("after clear the next output stands where the live part began", () => {
  const { terminal, screen } = open();
  screen.commit(["kept"]);
  screen.paint(["a", "b"], { row: 1, column: 0 });
  screen.clear();
  terminal.write("prompt\r\n");
  screen.paint(["a"], { row: 0, column: 0 });
  expect(terminal.history).toEqual(["kept", "prompt", "a"]);
});

test("whatever is drawn, the screen holds the committed rows and then the live ones", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const word = () => ["a", "日本", "long row", "", "x"][random(5)] ?? "";
  for (let round = 0; round < 200; round += 1) {
    const { terminal, screen } = open(12, 3 + random(6));
    const committed: string[] = [];
    let live: string[] = [];
    for (let frame = 0; frame < 12; frame += 1) {
      const rows = Array.from({ length: random(4) }, (_, i) => `${frame}.${i} ${word()}`.trimEnd());
      if (rows.length > 0) screen.commit(rows);
      committed.push(...rows);
      live = Array.from({ length: 1 + random(terminal.rows - 1) }, (_, i) => `L${i}${word()}`);
      screen.paint(live, { row: random(live.length), column: 0 });
      expect(terminal.history).toEqual([...committed, ...live]);
    }
  }
});

test("of a row that grew, only what is new is written; wide letters and colours are written whole", () => {
  let written = "";
  const screen = new Screen({ columns: 60, rows: 10, write: (text) => (written += text) });
  const change = (before: string, after: string): string => {
    screen.paint([before], { row: 0, column: 0 });
    written = "";
    screen.paint([after], { row: 0, column: 0 });
    return written;
  };
  expect(change("  one two three", "  one two three four")).toContain("\r\u001b[9C\u001b[K three four");
  expect(change("  one two 漢字 x", "  one two 漢字 xy")).toContain("\r\u001b[9C\u001b[K 漢字 xy");
  expect(change("漢字 one two three", "漢字 one two three four")).toContain("\r\u001b[K漢字 one");
  expect(change("\u001b[1mone two three\u001b[22m", "\u001b[1mone two three 4\u001b[22m")).toContain(
    "\r\u001b[K\u001b[1mone",
  );
});
