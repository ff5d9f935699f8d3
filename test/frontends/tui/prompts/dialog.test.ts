import { expect, test } from "bun:test";
import type { Asker } from "../../../../src/frontends/tui/prompts/asker.ts";
import { withDialog } from "../../../../src/frontends/tui/prompts/dialog.ts";
import { AppError } from "../../../../src/util/errors.ts";
import { FakeTerminal } from "../../../support/terminal.ts";
import { FakeHost } from "./fake-host.ts";

const FRUIT = ["apple", "banana", "cherry"].map((name) => ({ value: name, label: name }));
const MANY = Array.from({ length: 20 }, (_, i) => ({ value: i, label: `entry ${i}` }));
const DOWN = "\u001b[B";
const never = new AbortController().signal;

function dialog<T>(host: FakeHost, work: (asker: Asker) => Promise<T>): Promise<T> {
  return withDialog(host, work, never);
}

test("arrows, Enter and the next draft in one read: the right choice, and the draft is kept", async () => {
  const host = new FakeHost();
  host.type(`${DOWN}\rnext draft 漢字`);
  const answer = await dialog(host, (asker) => asker.choose({ message: "Fruit", choices: FRUIT }));
  expect([answer, host.rest()]).toEqual(["banana", "next draft 漢字"]);
});

test("keys typed ahead answer each of several questions, one after the other", async () => {
  const host = new FakeHost();
  host.type(`${DOWN}\rfree text\ry\rleft`);
  const answers = await dialog(host, async (asker) => [
    await asker.choose({ message: "Fruit", choices: FRUIT }),
    await asker.text({ message: "Say" }),
    await asker.confirm({ message: "Sure?" }),
  ]);
  // `y` answers the third one at once, so Enter was typed for what comes next.
  expect([answers, host.rest()]).toEqual([["banana", "free text", true], "enterleft"]);
});

test("Esc and Ctrl+C put aside only the question; what follows is kept", async () => {
  for (const key of ["\u001b", "\u0003", "\u0004"]) {
    const host = new FakeHost();
    host.type(key);
    const open = dialog(host, (asker) => asker.choose({ message: "Fruit", choices: FRUIT }));
    expect(await open).toBeUndefined();
    host.type("alive");
    expect(host.rest()).toBe("alive");
  }
});

test("a question begins with its initial choice", async () => {
  const host = new FakeHost();
  host.type("\r");
  expect(await dialog(host, (asker) => asker.choose({ message: "Fruit", choices: FRUIT, initial: 2 }))).toBe(
    "cherry",
  );
});

test("of a list, any number of choices can be marked with Space, in their order", async () => {
  const ask = (host: FakeHost) =>
    dialog(host, (asker) => asker.chooseMany({ message: "Fruit", choices: FRUIT }));
  const host = new FakeHost();
  host.type(`${DOWN}${DOWN} \u001b[A\u001b[A \rleft`);
  expect([await ask(host), host.rest()]).toEqual([["apple", "cherry"], "left"]);
  const none = new FakeHost();
  none.type("\r");
  expect(await ask(none)).toEqual([]);
  const aside = new FakeHost();
  aside.type(" \u001b");
  expect(await ask(aside)).toBeUndefined();
});

test("without colours, too, a list with marks shows which row is the current one", async () => {
  const host = new FakeHost();
  const open = dialog(host, (asker) => asker.chooseMany({ message: "Fruit", choices: FRUIT }));
  await host.shows("> apple");
  host.type("\u001b[A");
  await host.shows("> cherry");
  host.type(`${DOWN}j`);
  await host.shows("> banana");
  host.type(" \r");
  expect(await open).toEqual(["banana"]);
});

test("a space can be written into a text", async () => {
  const host = new FakeHost();
  host.type("two words\r");
  expect(await dialog(host, (asker) => asker.text({ message: "Say" }))).toBe("two words");
});

test("a number takes that choice of a short list, wherever the cursor is", async () => {
  const host = new FakeHost();
  host.type(`${DOWN}${DOWN}1x`);
  const answer = await dialog(host, (asker) => asker.choose({ message: "Fruit", choices: FRUIT }));
  expect([answer, host.rest()]).toEqual(["apple", "x"]);
});

test("a choice with a key of its own is taken by it", async () => {
  const host = new FakeHost();
  host.type("r");
  const choices = [...FRUIT, { value: "again", label: "look again", key: "r" }];
  expect(await dialog(host, (asker) => asker.choose({ message: "Fruit", choices }))).toBe("again");
});

test("a long list is searched by typing", async () => {
  const host = new FakeHost();
  host.type("17\rmore");
  const answer = await dialog(host, (asker) => asker.choose({ message: "Entries", choices: MANY }));
  expect([answer, host.rest()]).toEqual([17, "more"]);
});

test("Enter on a search without a match takes nothing", async () => {
  const host = new FakeHost();
  host.type("zz\r");
  const open = dialog(host, (asker) => asker.choose({ message: "Entries", choices: MANY }));
  await host.shows("nothing matches");
  host.type("\u007f\u007f19\r");
  expect(await open).toBe(19);
});

test("what is destructive is not done by Enter alone", async () => {
  const host = new FakeHost();
  host.type("\r");
  expect(await dialog(host, (asker) => asker.confirm({ message: "Delete all?" }))).toBe(false);
});

test("a value that is wrong is refused with the reason, and can be corrected", async () => {
  const host = new FakeHost();
  host.type("abc\r");
  const open = dialog(host, (asker) =>
    asker.text({ message: "Number", check: (value) => (/^\d+$/.test(value) ? undefined : "digits only") }),
  );
  await host.shows("digits only");
  host.type("\u007f\u007f\u007f42\r");
  expect(await open).toBe("42");
});

test("a pasted key of several lines is one line, and is not shown", async () => {
  const host = new FakeHost();
  host.type("\u001b[200~sk-secret\n\u001b[201~\r");
  const key = await dialog(host, (asker) => asker.secret({ message: "Key" }));
  expect([key, host.written.includes("sk-secret")]).toEqual(["sk-secret", false]);
});

test("the live part leaves the screen first and comes back last, also when the work fails", async () => {
  const host = new FakeHost();
  const failing = dialog(host, async () => {
    host.calls.push("work");
    throw new AppError("config", "no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(host.calls).toEqual(["clear", "work", "repaint"]);
});

test("a label can't move the cursor or change colours", async () => {
  const host = new FakeHost();
  host.type("\r");
  const evil = [{ value: 1, label: "a\u001b[2Jb\u001b]0;title\u0007", hint: "\u001b[31mred" }];
  await dialog(host, (asker) => asker.choose({ message: "\u001b[5mblink", choices: evil }));
  expect(host.written).not.toMatch(/\u001b\[2J|\u001b\]|\u001b\[31m|\u001b\[5m/);
});

test("a narrow terminal cuts labels instead of wrapping them", async () => {
  const host = new FakeHost();
  host.columns = 40;
  host.type("\r");
  await dialog(host, (asker) =>
    asker.choose({ message: "Model", choices: [{ value: 1, label: "x".repeat(90), hint: "why" }] }),
  );
  const rows = Bun.stripANSI(host.written).split(/\r?\n/);
  expect(Math.max(...rows.map((row) => Bun.stringWidth(row)))).toBeLessThanOrEqual(40);
});

/** A question on a terminal of this size, and its screen after something happened to it. */
async function disturbed(happens: (host: FakeHost, terminal: FakeTerminal) => void): Promise<string[]> {
  const host = new FakeHost();
  const terminal = new FakeTerminal(host.columns, host.rows);
  const closed = new AbortController();
  const choices = [
    { value: 1, label: "apple       a fruit that keeps long in the cellar" },
    { value: 2, label: "banana" },
  ];
  const ask = (asker: Asker) => asker.choose({ message: "Which fruit do you want to have?", choices });
  const open = withDialog(host, ask, closed.signal);
  await host.shows("└");
  host.type(DOWN);
  await host.shows("● banana");
  terminal.write(host.written);
  host.written = "";
  happens(host, terminal);
  terminal.write(host.written);
  const { screen } = terminal;
  closed.abort();
  await open;
  return screen;
}

const WIDE = [
  "│",
  "◆  Which fruit do you want to have?",
  "│  ○ apple       a fruit that keeps long in the cellar",
  "│  ● banana",
  "└",
];

test("a question is whole again after the terminal was too small for it", async () => {
  const resize = (host: FakeHost, terminal: FakeTerminal, columns: number, rows: number) => {
    Object.assign(host, { columns, rows });
    host.disturb("resized");
    Object.assign(terminal, { columns, rows });
  };
  const back = await disturbed((host, terminal) => {
    resize(host, terminal, 30, 4);
    resize(host, terminal, 80, 24);
  });
  expect(back.slice(-WIDE.length)).toEqual(WIDE);
  const narrow = await disturbed((host, terminal) => resize(host, terminal, 40, 24));
  expect(narrow.slice(-WIDE.length)).toEqual([
    ...WIDE.slice(0, 2),
    "│  ○ apple       a fruit th…",
    ...WIDE.slice(3),
  ]);
});

test("a question stands below what a shell has written in between", async () => {
  const screen = await disturbed((host, terminal) => {
    terminal.write("\r\n[1]+ Stopped\r\n$ fg\r\n");
    host.disturb("resumed");
  });
  expect(screen).toEqual([...WIDE, "", "[1]+ Stopped", "$ fg", ...WIDE]);
});

test("a label of several lines is one row", async () => {
  const host = new FakeHost();
  host.type("\r");
  const choices = [{ value: 1, label: "a\n\nb", hint: "c\nd" }];
  await dialog(host, (asker) => asker.choose({ message: "Which?", choices }));
  expect(Bun.stripANSI(host.written)).toContain("● a b (c d)");
});

test("an abort from outside closes the question", async () => {
  const host = new FakeHost();
  const control = new AbortController();
  const open = withDialog(host, (asker) => asker.text({ message: "Name" }), control.signal);
  await host.shows("Name");
  control.abort();
  expect(await open).toBeUndefined();
});

test("a task shows how far it is, and Ctrl+C stops it without touching other keys", async () => {
  const host = new FakeHost();
  const open = dialog(host, (asker) =>
    asker.work({
      title: "pull tiny",
      run: async (report, signal) => {
        report("1 of 2 MB");
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        throw new AppError("aborted", "interrupted");
      },
    }),
  );
  await host.shows("pull tiny: 1 of 2 MB");
  host.type("abc\u0003");
  expect(await open).toBeUndefined();
  expect([host.written.includes("pull tiny: stopped"), host.rest()]).toEqual([true, "abc"]);
});

test("a task that fails says so and throws why", async () => {
  const host = new FakeHost();
  const run = async () => {
    throw new AppError("model.unreachable", "no network");
  };
  await expect(dialog(host, (asker) => asker.work({ title: "pull", run }))).rejects.toThrow("no network");
  expect(host.written).toContain("pull: failed");
});
