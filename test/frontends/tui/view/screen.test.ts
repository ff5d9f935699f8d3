import { expect, test } from "bun:test";
import { Screen } from "../../../../src/frontends/tui/view/screen.ts";
import { FakeTerminal } from "../../../support/terminal.ts";

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

test("live rows at the top of the screen leave it without a trace, also in tmux", () => {
  const { terminal, screen } = open(20, 8);
  screen.paint(["a live row", "composer"], { row: 1, column: 0 });
  screen.resized();
  screen.paint(["a live row", "composer"], { row: 1, column: 0 });
  screen.clear();
  screen.paint(["composer"], { row: 0, column: 0 });
  expect(terminal.history).toEqual(["composer"]);
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

test("rows that grow, are styled, come between others and are committed as they were are all on the screen, in order", () => {
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return (seed >> 8) % below;
  };
  const words = [
    "one",
    "\u001b[1mtwo\u001b[22m",
    "\u001b[38;5;80mcode here\u001b[39m",
    "日本",
    "e\u0301",
    "·",
    "⠙",
    "  ",
  ];
  const word = () => words[random(words.length)] ?? "";
  const plain = (rows: readonly string[]) => rows.map((row) => Bun.stripANSI(row).trimEnd());
  for (let round = 0; round < 150; round += 1) {
    const { terminal, screen } = open(60, 6 + random(8));
    const committed: string[] = [];
    let live = ["a row that stays", "status"];
    for (let frame = 0; frame < 20; frame += 1) {
      const finished = random(3) === 0 ? live.slice(0, random(live.length)) : [];
      screen.commit(finished);
      committed.push(...finished);
      const rows = live
        .slice(finished.length)
        .map((row) => (random(3) > 0 || Bun.stringWidth(row) > 45 ? row : `${row} ${word()}`))
        .flatMap((row) => (random(5) === 0 ? [`${frame} ${word()} ${word()}`, row] : [row]))
        .filter(() => random(12) > 0);
      live = [...rows, "composer"].slice(-(terminal.rows - 1));
      screen.paint(live, { row: random(live.length), column: 0 });
      expect(terminal.history).toEqual(plain([...committed, ...live]));
    }
  }
});

test("a row that grows into the next moves the rows below it rather than writing them again", () => {
  const { terminal, screen } = open(40, 10);
  const below = ["", "working", "› draft", "  status of the conversation"];
  screen.paint(["  one two three", ...below], { row: 3, column: 2 });
  terminal.written = "";
  screen.paint(["  one two three four", "  five", ...below], { row: 4, column: 2 });
  expect(terminal.written).toContain("\u001b[1L");
  expect(terminal.written).not.toContain("status");
  terminal.written = "";
  screen.commit(["  one two three four"]);
  screen.paint(["  five six", ...below], { row: 3, column: 2 });
  expect(terminal.written).not.toMatch(/one|status/);
  expect(terminal.history).toEqual(["  one two three four", "  five six", ...below]);
});

test("rows that don't all fit are written again, so that none is pushed off the screen", () => {
  const { terminal, screen } = open(20, 6);
  screen.paint(["live", "status"], { row: 0, column: 0 });
  screen.commit(["1", "2", "3", "4", "5", "6", "7", "8"]);
  screen.paint(["live", "status"], { row: 0, column: 0 });
  expect(terminal.history).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "live", "status"]);
});
