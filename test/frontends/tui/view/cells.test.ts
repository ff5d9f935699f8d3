import { describe, expect, test } from "bun:test";
import type { CellOptions } from "../../../../src/frontends/tui/view/cell-options.ts";
import { cellRows, userRows } from "../../../../src/frontends/tui/view/cells.ts";
import type { CommandItem } from "../../../../src/frontends/tui/view/command-cell.ts";
import { explorationRows, isExploring } from "../../../../src/frontends/tui/view/exploration.ts";
import { approvalAfterRows, noticeRows } from "../../../../src/frontends/tui/view/notices.ts";
import { makeTheme } from "../../../../src/frontends/tui/view/theme.ts";
import type { ApprovalRequest } from "../../../../src/protocol/approvals.ts";
import type { ThreadItem } from "../../../../src/protocol/events.ts";
import { shellQuote } from "../../../../src/util/shell-quote.ts";
import { shownCommand } from "../../../../src/util/shown-command.ts";

const PLAIN = makeTheme({ level: 0, hasStyles: false });
const COLORS = makeTheme({ level: 1 });
const OPTIONS: CellOptions = { width: 60, theme: PLAIN, isRunning: false, isExpanded: false };

function command(part: Partial<CommandItem> & { script?: string }): CommandItem {
  const { script = "make", ...rest } = part;
  return {
    id: "1",
    type: "command_execution",
    command: `/bin/bash -lc '${script}'`,
    cwd: "/w",
    output: "",
    durationMs: 10,
    exitCode: 0,
    status: "completed",
    ...rest,
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join("");

describe("commands", () => {
  test("a command that went well is one quiet row above its output", () => {
    expect(cellRows(command({ script: "echo hi", output: "hi\n" }), OPTIONS)).toEqual([
      "• Ran echo hi",
      "    hi",
    ]);
  });

  test("a failure and a long time are told in words at the right", () => {
    const item = command({ script: "bun test", exitCode: 1, status: "failed", durationMs: 2300 });
    expect(cellRows(item, { ...OPTIONS, width: 40 })).toEqual(["• Ran bun test             exit 1 · 2.3s"]);
    expect(cellRows(command({ status: "declined", exitCode: undefined }), { ...OPTIONS, width: 30 })).toEqual(
      ["• Ran make            declined"],
    );
  });

  test("a long command gives way to how it ended", () => {
    const item = command({ script: "for x in 1 2 3; do\n  echo hello\ndone", durationMs: 65_000 });
    expect(cellRows(item, { ...OPTIONS, width: 40 })).toEqual(["• Ran for x in 1 2 3; do ⏎ echo … 1m 05s"]);
  });

  test("of a shell's command the script is shown, however it was quoted", () => {
    const scripts = ["ls", "a b", "it's", "echo 'a' \"$b\"", "'", 'say "it\'s"', "a\nb"];
    const shown = scripts.map((script) => shownCommand(shellQuote(["/bin/bash", "-lc", script])));
    expect(shown).toEqual(scripts);
    const others = ["bash script.sh", "bash -lc", "bash -lc a b", "make 'x y'"];
    expect(others.map(shownCommand)).toEqual(others);
  });

  test("long output is folded to its first and last lines", () => {
    expect(cellRows(command({ output: numbers(60) }), OPTIONS)).toEqual([
      "• Ran make",
      "    1",
      "    2",
      "    … +55 lines · ctrl+t",
      "    58",
      "    59",
      "    60",
    ]);
  });

  test("nothing is folded in the transcript", () => {
    const item = command({ script: "a\nb", output: numbers(9) });
    expect(cellRows(item, { ...OPTIONS, isExpanded: true })).toEqual([
      "• Ran a",
      "      b",
      ..."123456789".split("").map((n) => `    ${n}`),
    ]);
  });

  test("of a progress bar the last state is shown", () => {
    const output = "get\r\n 1%\r 50%\r100%\ndone 10% [=>  ]\ndone 90% [==>]\nend\n";
    expect(cellRows(command({ output }), OPTIONS)).toEqual([
      "• Ran make",
      "    get",
      "    100%",
      "    done 90% [==>]",
      "    end",
    ]);
  });

  test("a running command says so and shows what it has written so far", () => {
    const item = command({ status: "in_progress", exitCode: undefined, output: "one\n", durationMs: 0 });
    expect(cellRows(item, { ...OPTIONS, isRunning: true })).toEqual(["• Running make", "    one"]);
  });

  test("a failure is red, and the words tell it too", () => {
    const item = command({ exitCode: 2, status: "failed" });
    expect(cellRows(item, { ...OPTIONS, theme: COLORS, width: 20 })).toEqual([
      "\u001b[31m•\u001b[39m Ran make    \u001b[31mexit 2\u001b[39m",
    ]);
  });
});

describe("commands that only look", () => {
  test("reads and searches share one row, without their output", () => {
    const items = [
      command({ script: "cat src/a.ts | head -5", output: numbers(5) }),
      command({ script: "cd src && sed -n 1,20p b.ts", durationMs: 1200 }),
      command({ script: "rg -n foo src" }),
      command({ script: "ls -la" }),
    ];
    expect(items.map(isExploring)).toEqual([true, true, true, true]);
    expect(explorationRows(items, { ...OPTIONS, width: 75 })).toEqual([
      '• Read a.ts, b.ts · Searched "foo" in src · Listed .         2 files · 1.2s',
    ]);
  });

  test("files of the same name are told apart by their folders, and each counts", () => {
    const items = [command({ script: "cat src/a/main.ts src/b/main.ts src/c.ts" })];
    expect(explorationRows(items, { ...OPTIONS, width: 75 })[0]).toMatch(
      /^• Read src\/a\/main.ts, src\/b\/main.ts, c.ts +3 files/,
    );
  });

  test("what may change something, or failed, is shown as a command", () => {
    const scripts = [
      "cat a > b",
      "cat a; rm b",
      "rg foo | xargs rm",
      "cat $(x)",
      "sed -i s/a/b/ f",
      "sort a -o b",
    ];
    expect(scripts.filter((script) => isExploring(command({ script })))).toEqual([]);
    expect(isExploring(command({ script: "cat a", exitCode: 1 }))).toBe(false);
  });
});

describe("changed files", () => {
  const DIFF =
    "--- a/src/add.ts\n+++ b/src/add.ts\n@@ -1,7 +1,7 @@\n one\n two\n three\n-  return a - b;\n+  return a + b;\n" +
    " five\n six\n seven\n@@ -20,2 +20,3 @@\n x\n+--y\n";
  const edit = (part: object): ThreadItem => ({
    id: "2",
    type: "file_change",
    status: "completed",
    changes: [{ path: "/w/src/add.ts", kind: "update", diff: DIFF, ...part }],
  });

  test("an edit shows its counts and numbered lines with two others around them", () => {
    expect(cellRows(edit({}), OPTIONS)).toEqual([
      "• Edited src/add.ts  +2 −1",
      "    2   two",
      "    3   three",
      "    4 −   return a - b;",
      "    4 +   return a + b;",
      "    5   five",
      "    6   six",
      "    ⋮",
      "   20   x",
      "   21 + --y",
    ]);
  });

  test("under 60 columns only the changed lines are shown, wrapped beside the numbers", () => {
    expect(cellRows(edit({}), { ...OPTIONS, width: 20 })).toEqual([
      "• Edited src/add.ts…",
      "    4 −   return a -",
      "        b;",
      "    4 +   return a +",
      "        b;",
      "    ⋮",
      "   21 + --y",
    ]);
  });

  test("the words that changed are marked", () => {
    const rows = cellRows(edit({}), { ...OPTIONS, theme: COLORS });
    expect(rows.slice(3, 5)).toEqual([
      "\u001b[31m    4 −   return a \u001b[1m\u001b[4m-\u001b[24m\u001b[22m b;\u001b[39m",
      "\u001b[32m    4 +   return a \u001b[1m\u001b[4m+\u001b[24m\u001b[22m b;\u001b[39m",
    ]);
  });

  test("a long diff is folded after twenty rows", () => {
    const diff = `--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,50 @@\n${"+x\n".repeat(50)}`;
    const rows = cellRows(edit({ kind: "add", path: "/w/new.ts", diff }), OPTIONS);
    expect([rows.length, rows[0], rows[1], rows.at(-1)]).toEqual([
      21,
      "• Added new.ts  +50 −0",
      "    1 + x",
      "    … +31 lines · ctrl+t",
    ]);
  });

  test("a file with carriage returns looks like any other", () => {
    const diff = "--- a/a.ts\r\n+++ b/a.ts\r\n@@ -1,1 +1,1 @@\r\n-x\r\n+y\r\n";
    expect(cellRows(edit({ diff }), OPTIONS)).toEqual(["• Edited a.ts  +1 −1", "    1 − x", "    1 + y"]);
  });

  test("a diff that was too large to make says so", () => {
    const diff = "--- a/a.ts\n+++ b/a.ts\n(diff left out: about 9000 lines became 8000)\n";
    expect(cellRows(edit({ diff }), OPTIONS)).toEqual([
      "• Edited a.ts",
      "    (diff left out: about 9000 lines became 8000)",
    ]);
  });

  test("a move, a removal and a failure are one row each", () => {
    const moved = "--- a/a.ts\n+++ b/b.ts\n@@ -1,1 +1,1 @@\n-x\n+y\n";
    expect(cellRows(edit({ movedTo: "/w/b.ts", diff: moved }), OPTIONS)[0]).toBe(
      "• Edited a.ts → b.ts  +1 −1",
    );
    const removed = "--- a/a.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n";
    expect(cellRows(edit({ kind: "delete", diff: removed }), OPTIONS)).toEqual(["• Deleted a.ts  +0 −2"]);
    const failed = { ...edit({ diff: "", path: "/w/c.ts" }), status: "failed" } as const;
    expect(cellRows(failed as ThreadItem, { ...OPTIONS, width: 30 })).toEqual([
      "• Editing c.ts          failed",
    ]);
  });
});

describe("other cells", () => {
  const steps = (count: number, done: number): ThreadItem => ({
    id: "3",
    type: "todo_list",
    steps: Array.from({ length: count }, (_, i) => ({
      text: `step ${i + 1}`,
      status: i < done ? "completed" : i === done ? "in_progress" : "pending",
    })),
  });

  test("a short plan is one row of steps", () => {
    expect(cellRows(steps(3, 1), OPTIONS)).toEqual(["• Plan 1/3", "    ✓ step 1   ▸ step 2   · step 3"]);
  });

  test("of a long plan the steps around the present one are shown", () => {
    const rows = cellRows(steps(20, 9), OPTIONS);
    expect([rows.length, rows[1], rows[3], rows.at(-1)]).toEqual([
      14,
      "    ✓ step 8",
      "    ▸ step 10",
      "    … +8 steps · ctrl+t",
    ]);
  });

  test("reasoning is its title; the transcript has all of it", () => {
    const item: ThreadItem = { id: "4", type: "reasoning", text: "**First**\n\nbecause\n\n**Second**" };
    expect(cellRows(item, OPTIONS)).toEqual(["  Thought: First"]);
    expect(cellRows(item, { ...OPTIONS, isRunning: true })).toEqual(["  Thinking: Second"]);
    expect(cellRows(item, { ...OPTIONS, isExpanded: true })).toEqual([
      "  First",
      "",
      "  because",
      "",
      "  Second",
    ]);
    expect(cellRows({ ...item, text: " \n" }, OPTIONS)).toEqual([]);
  });

  test("a server's tool shows its input and the result", () => {
    const item: ThreadItem = {
      id: "5",
      type: "mcp_tool_call",
      server: "github",
      tool: "find",
      input: { q: "x" },
      result: { content: [{ type: "text", text: "a\nb" }, { type: "image" }] },
      status: "completed",
    };
    expect(cellRows(item, OPTIONS)).toEqual([
      '• Called github.find {"q":"x"}',
      "    a",
      "    b",
      "    [image]",
    ]);
    const failed: ThreadItem = { ...item, input: {}, result: undefined, error: "gone", status: "failed" };
    expect(cellRows(failed, { ...OPTIONS, width: 30 })).toEqual([
      "• Called github.find    failed",
      "    gone",
    ]);
  });

  test("answers are set in, what the user said has a mark", () => {
    expect(cellRows({ id: "6", type: "agent_message", text: "a **b**\n\n- c" }, OPTIONS)).toEqual([
      "  a b",
      "",
      "  - c",
    ]);
    expect(userRows("one two\nthree\n", 8, PLAIN)).toEqual(["› one", "  two", "  three"]);
  });

  test("an error is a sentence and what to do", () => {
    const text = "Cannot reach the model at http://127.0.0.1:11434/v1 (connection refused).";
    const hint = "Start it with `ollama serve`, or /model for another.";
    expect(noticeRows({ level: "error", text, hint }, 60, PLAIN)).toEqual([
      "✗ Cannot reach the model at http://127.0.0.1:11434/v1",
      "  (connection refused).",
      "  Start it with `ollama serve`, or /model for another.",
    ]);
  });

  test("an answered question is one row", () => {
    const request: ApprovalRequest = { id: "a", callId: "c", kind: "command", argv: [], cwd: "/w" };
    const rows = (decision: "approved" | "denied") =>
      approvalAfterRows(request, decision, "npm install\nleft-pad", { width: 60, theme: PLAIN });
    expect([...rows("approved"), ...rows("denied")]).toEqual([
      "✓ allowed once: npm install left-pad",
      "✗ refused: npm install left-pad",
    ]);
  });
});

describe("hostile text", () => {
  const BAD = "\u001b]0;t\u0007\u001b[2J\u009b1A\u202e日本語👩‍👩‍👧\u0000x\ty\r\u0008z";
  const LONG = `${BAD} ${"wide 日本 ".repeat(40)}\n${"n".repeat(300)}`;
  const items: ThreadItem[] = [
    { id: "1", type: "agent_message", text: LONG },
    { id: "1", type: "reasoning", text: LONG },
    command({ command: LONG, output: LONG, exitCode: 3, status: "failed" }),
    command({ command: `cat '${BAD}'` }),
    {
      id: "2",
      type: "file_change",
      status: "completed",
      changes: [
        {
          path: BAD,
          kind: "update",
          movedTo: LONG,
          diff: `--- a/${BAD}\n+++ b/x\n@@ -1,2 +1,2 @@\n-${LONG}\n+${BAD}\n`,
        },
      ],
    },
    {
      id: "3",
      type: "mcp_tool_call",
      server: BAD,
      tool: BAD,
      input: { [BAD]: LONG },
      error: LONG,
      status: "failed",
    },
    { id: "4", type: "web_search", query: LONG },
    { id: "5", type: "todo_list", steps: [{ text: LONG, status: "in_progress" }] },
    { id: "6", type: "error", message: LONG },
  ];

  test("no row is wider than the terminal or holds anything but colours", () => {
    const wrong: string[] = [];
    for (const width of [20, 40, 60, 80, 100, 120]) {
      for (const isExpanded of [true, false]) {
        const options = { width, theme: COLORS, isRunning: false, isExpanded };
        const rows = [
          ...items.flatMap((item) => cellRows(item, options)),
          ...userRows(LONG, width, COLORS),
          ...noticeRows({ level: "warning", text: LONG, hint: LONG }, width, COLORS),
        ];
        const isWrong = (row: string) =>
          Bun.stringWidth(row) > width ||
          /[\u0000-\u001f\u007f-\u009f\u202e]/.test(row.replace(/\u001b\[[0-9;]*m/g, ""));
        wrong.push(...rows.filter(isWrong));
      }
    }
    expect(wrong).toEqual([]);
  });

  test("without colours and styles a row is plain text", () => {
    const rows = items.flatMap((item) => cellRows(item, OPTIONS));
    expect(rows.filter((row) => row.includes("\u001b"))).toEqual([]);
  });
});

describe("agents", () => {
  const about = (part: Partial<Extract<ThreadItem, { type: "agent_call" }>>): ThreadItem => ({
    id: "1",
    type: "agent_call",
    action: "wait",
    status: "completed",
    agents: [{ sessionId: "s", name: "Alder", status: "done", message: "3 files\nno tests" }],
    ...part,
  });

  test("what was done to them is one row, with what they have said at the end", () => {
    expect(cellRows(about({}), OPTIONS)).toEqual(["• Agents: Alder (done)", "    3 files", "    no tests"]);
    expect(
      cellRows(about({ action: "spawn", agents: [], prompt: "count\nall", status: "in_progress" }), OPTIONS),
    ).toEqual(["• Agent: count"]);
    const several = about({
      agents: [
        { sessionId: "s", name: "Alder", status: "failed", message: "no\u001b[2J model" },
        { sessionId: "t", name: "Birch", status: "pending" },
      ],
    });
    expect(cellRows(several, OPTIONS)).toEqual([
      "• Agents: Alder (failed), Birch (waits for its turn)",
      "    Alder: no model",
    ]);
  });

  test("what one of them does carries its name", () => {
    const item = { ...command({ script: "make", exitCode: 2, status: "failed" }), agent: "Alder" };
    expect(cellRows(item, { ...OPTIONS, width: 40 })).toEqual(["• Ran make          agent Alder · exit 2"]);
  });
});
