import { expect, test } from "bun:test";
import { keymapWith } from "../../../../src/frontends/tui/input/keymap.ts";
import { Pager } from "../../../../src/frontends/tui/pager/pager.ts";
import { makeTheme } from "../../../../src/frontends/tui/view/theme.ts";
import { FakeTerminal } from "../../../support/terminal.ts";
import { keys } from "../support.ts";

function opened(startsAtEnd = false) {
  const terminal = new FakeTerminal(40, 6);
  const copied: string[] = [];
  const cell = (name: string, count: number) => ({
    text: `text of ${name}`,
    rows: () => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`),
  });
  const pager = new Pager({
    surface: terminal,
    theme: makeTheme({ level: 0 }),
    keys: keymapWith(undefined).pager,
    content: { title: "test", cells: [cell("alpha", 8), cell("beta", 8)], startsAtEnd },
    copy: (text) => copied.push(text),
  });
  pager.draw();
  return {
    pager,
    terminal,
    copied,
    press(...written: string[]) {
      for (const event of keys(...written)) pager.take(event);
      return terminal.screen[0]?.trim();
    },
  };
}

test("it begins where it should and moves by lines, pages and to both ends", () => {
  expect(opened(true).terminal.screen.slice(0, 5)).toEqual([
    "beta 4",
    "beta 5",
    "beta 6",
    "beta 7",
    "beta 8",
  ]);
  const { press } = opened();
  expect([press("j"), press("j", "k"), press(" "), press("b"), press("G"), press("g")]).toEqual([
    "alpha 2",
    "alpha 2",
    "alpha 7",
    "alpha 2",
    "beta 4",
    "alpha 1",
  ]);
});

test("it finds text, goes on to the next match round the end, and says when there is none", () => {
  const { press, terminal } = opened();
  expect(press("/beta 2", "enter")).toBe("beta 2");
  expect(press("n")).toBe("beta 2");
  press("/nowhere", "enter");
  expect(terminal.screen.at(-1)).toContain("not found: nowhere");
});

test("it goes from cell to cell and copies the one at the top", () => {
  const { press, copied } = opened();
  expect(press("]")).toBe("beta 1");
  press("y");
  expect(copied).toEqual(["text of beta"]);
  expect(press("[")).toBe("alpha 1");
});

test("q closes it, but is a letter while a search is typed", async () => {
  const { press, pager } = opened();
  press("/q");
  press("escape", "q");
  await pager.closed;
});

test("after a change of size it is laid out anew at the same cell", () => {
  const { press, terminal, pager } = opened();
  press("]");
  terminal.columns = 30;
  pager.draw();
  expect(terminal.screen[0]).toBe("beta 1");
});

test.each([
  [100, ["▸ a.ts        │ a.ts", "  …/long.ts   │ a.ts"]],
  [99, ["a.ts", "a.ts"]],
])("at %d columns, named cells are listed at the left only where there is room", (columns, wanted) => {
  const terminal = new FakeTerminal(columns, 4);
  const cell = (name: string) => ({ name, text: name, rows: () => [name, name] });
  const names = ["a.ts", `${"deep/".repeat(8)}long.ts`];
  const pager = new Pager({
    surface: terminal,
    theme: makeTheme({ level: 0 }),
    keys: keymapWith(undefined).pager,
    content: { title: "test", cells: names.map(cell), startsAtEnd: false },
    copy: () => {},
  });
  pager.draw();
  const shown = terminal.screen.slice(0, 2).map((row) => row.trimEnd().replace(/ {3,}/, "        "));
  expect(shown.map((row) => row.replace(/ +│/, " │"))).toEqual(wanted.map((row) => row.replace(/ +│/, " │")));
});
