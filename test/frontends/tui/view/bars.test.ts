import { describe, expect, test } from "bun:test";
import { composerRows } from "../../../../src/frontends/tui/view/composer.ts";
import { type HeaderFacts, headerRows } from "../../../../src/frontends/tui/view/header.ts";
import { listRows } from "../../../../src/frontends/tui/view/popup.ts";
import {
  type StatusFacts,
  statusRow,
  type WorkingFacts,
  workingRow,
} from "../../../../src/frontends/tui/view/status.ts";
import { summaryRows } from "../../../../src/frontends/tui/view/summary.ts";
import { makeTheme } from "../../../../src/frontends/tui/view/theme.ts";

const PLAIN = makeTheme({ level: 0, hasStyles: false });
const COLORS = makeTheme({ level: 1 });
const WIDTHS = [39, 40, 60, 80, 100, 120];

describe("the status line", () => {
  const FACTS: StatusFacts = {
    model: "qwen3-coder:30b",
    harness: "native",
    sandbox: "workspace-write",
    approvals: "on-request",
    folder: "~/code/shop",
    branch: "main*",
    contextLeft: 64,
    tokens: 41_200,
    cost: "$0.03",
  };

  test("shows more the wider the terminal is", () => {
    expect(WIDTHS.map((width) => statusRow(FACTS, width, PLAIN).replace(/ {3,}/, " | "))).toEqual([
      " | 64% left",
      "  qwen3-coder:30b | 64% left",
      "  qwen3-coder:30b · workspace-write | 64% left",
      "  qwen3-coder:30b · native · workspace-write, asks 64% left · 41.2k tok · $0.03",
      "  qwen3-coder:30b · native · workspace-write, asks · ~/code/shop main* 64% left · 41.2k tok · $0.03",
      "  qwen3-coder:30b · native · workspace-write, asks · ~/code/shop main* | 64% left · 41.2k tok · $0.03",
    ]);
  });

  test("says full access at any width", () => {
    for (const width of [16, 22, ...WIDTHS])
      expect(statusRow({ ...FACTS, sandbox: "danger-full-access", contextLeft: 8 }, width, PLAIN)).toContain(
        "full access",
      );
  });

  test("warns in colour and in words when little context is left", () => {
    const row = (contextLeft: number) => statusRow({ contextLeft }, 30, COLORS).trim();
    expect([row(20), row(19), row(9)]).toEqual([
      "\u001b[2m20% left\u001b[22m",
      "\u001b[33m19% left\u001b[39m",
      "\u001b[31m9% left, /compact\u001b[39m",
    ]);
  });

  test("tells of the start before anything else is known", () => {
    expect(statusRow({ starting: "starting" }, 80, PLAIN)).toBe("  starting");
  });
});

describe("the working row", () => {
  const FACTS: WorkingFacts = {
    activity: "Running bun test",
    elapsedMs: 72_900,
    outputTokens: 1900,
    tokensPerSecond: 34.3,
    isStopping: false,
  };

  test("figures give way before the key that stops it", () => {
    expect([80, 50, 40, 30].map((width) => workingRow(FACTS, width, PLAIN))).toEqual([
      "● Running bun test 1m 12s · 1.9k tok · 34 tok/s · esc stops",
      "● Running bun test 1m 12s · 1.9k tok · esc stops",
      "● Running bun test 1m 12s · esc stops",
      "● Running… 1m 12s · esc stops",
    ]);
  });

  test("its mark moves only when it is told the frame", () => {
    const marks = [undefined, 0, 1, 10].map((frame) =>
      workingRow({ ...FACTS, frame }, 80, PLAIN).slice(0, 1),
    );
    expect(marks).toEqual(["●", "⠋", "⠙", "⠋"]);
  });

  test("a locale without such letters gets plain marks", () => {
    const ascii = makeTheme({ level: 0, isUnicode: false, hasStyles: false });
    expect(workingRow({ ...FACTS, elapsedMs: 0, frame: 1 }, 80, ascii)).toBe(
      "/ Running bun test 0s - 1.9k tok - 34 tok/s - esc stops",
    );
  });
});

describe("the header", () => {
  const FACTS: HeaderFacts = {
    version: "0.1.0",
    folder: "~/code/shop",
    branch: "main*",
    model: "qwen3-coder:30b",
    provider: "ollama",
    harness: "native",
    sandbox: "workspace-write",
    approvals: "on-request",
    instructions: ["AGENTS.md"],
  };

  test("is two rows: where, and with what", () => {
    expect(headerRows(FACTS, 100, PLAIN)).toEqual([
      "interpreter 0.1.0   ~/code/shop  main*",
      "qwen3-coder:30b via ollama · harness native · workspace-write, asks · AGENTS.md",
    ]);
  });

  test("is one row under 60 columns", () => {
    expect(headerRows(FACTS, 59, PLAIN)).toEqual([
      "qwen3-coder:30b via ollama · harness native · workspace-wr…",
    ]);
  });

  test("names what a session may do without asking", () => {
    const row = headerRows({ ...FACTS, sandbox: "danger-full-access", approvals: "never" }, 100, COLORS)[1];
    expect(row).toContain("\u001b[1m\u001b[31mfull access\u001b[39m\u001b[22m, never asks");
  });
});

describe("the composer", () => {
  const view = (part: object) =>
    composerRows({
      text: "",
      cursor: 0,
      atoms: [],
      width: 20,
      maxRows: 3,
      placeholder: "Ask, or / for commands",
      mark: "›",
      theme: PLAIN,
      ...part,
    });

  test("shows what it is for while it is empty, with the cursor at its start", () => {
    expect(view({})).toEqual({ rows: ["› Ask, or / for co…"], cursor: { row: 0, column: 2 } });
  });

  test("the cursor stands behind the last cell of wide letters, marks and emoji", () => {
    const text = "日本語e\u0301👩‍👩‍👧x";
    expect(view({ text, cursor: text.length })).toEqual({
      rows: [`› ${text}`],
      cursor: { row: 0, column: 12 },
    });
    expect(view({ text, cursor: 3 }).cursor).toEqual({ row: 0, column: 8 });
  });

  test("a letter that does not fit begins the next row, and the cursor goes with it", () => {
    const text = `${"a".repeat(16)}日`;
    expect(view({ text, cursor: 16 })).toEqual({
      rows: [`› ${"a".repeat(16)}`, "  日"],
      cursor: { row: 1, column: 2 },
    });
  });

  test("lines keep their place, also empty ones", () => {
    expect(view({ text: "a\n\nb", cursor: 2 })).toEqual({
      rows: ["› a", "", "  b"],
      cursor: { row: 1, column: 2 },
    });
    expect(view({ text: "a\n", cursor: 2 })).toEqual({ rows: ["› a", ""], cursor: { row: 1, column: 2 } });
  });

  test("a long draft scrolls around the cursor and tells how much is hidden", () => {
    const text = "1\n2\n3\n4\n5\n6";
    expect(view({ text, cursor: 4 })).toEqual({
      rows: ["  2", "  3", "  4", "  ⋮ 3 more"],
      cursor: { row: 1, column: 2 },
    });
    expect(view({ text, cursor: text.length })).toEqual({
      rows: ["  4", "  5", "  6", "  ⋮ 3 more"],
      cursor: { row: 2, column: 3 },
    });
  });

  test("what stands for a paste or an image is marked", () => {
    const { rows } = view({ text: "see [Image #1]", atoms: ["[Image #1]"], theme: COLORS });
    expect(rows).toEqual(["› see \u001b[36m[Image #1]\u001b[39m"]);
  });

  test("a pasted control character is not drawn", () => {
    expect(view({ text: "a\u001bb\u202ec", cursor: 5 })).toEqual({
      rows: ["› abc"],
      cursor: { row: 0, column: 5 },
    });
  });
});

describe("lists", () => {
  const ITEMS = [
    { label: "/model", about: "choose another model", note: "ctrl+m" },
    { label: "/compact", about: "shorten", disabledBecause: "not while a turn runs" },
    { label: "/quit" },
  ];

  test("the selected row has a mark; what can't be chosen says why", () => {
    expect(listRows(ITEMS, 0, { width: 46, theme: PLAIN, maxRows: 8 })).toEqual([
      "▸ /model    choose another model       ctrl+m",
      "  /compact  not while a turn runs",
      "  /quit",
    ]);
  });

  test("the selected row is always among those shown, and the ends tell that there is more", () => {
    const items = Array.from({ length: 20 }, (_, i) => ({ label: `item ${i}` }));
    const shown = (selected: number) => listRows(items, selected, { width: 20, theme: PLAIN, maxRows: 3 });
    expect([shown(0), shown(9), shown(19)]).toEqual([
      ["▸ item 0", "  item 1", "⋮ item 2"],
      ["⋮ item 8", "▸ item 9", "⋮ item 10"],
      ["⋮ item 17", "  item 18", "▸ item 19"],
    ]);
  });

  test("long and wide names keep the columns", () => {
    const items = [
      { label: "日本語".repeat(9), about: "one" },
      { label: "b", about: "two" },
    ];
    expect(listRows(items, 1, { width: 30, theme: PLAIN, maxRows: 3 })).toEqual([
      "  日本語日本語日…  one",
      "▸ b                two",
    ]);
  });
});

describe("the summary at the end", () => {
  const FACTS = {
    durationMs: 720_000,
    turns: 5,
    usage: { input: 41_200, cachedInput: 30_000, cacheWrite: 0, output: 6100, reasoning: 0 },
    filesChanged: 3,
    sessionId: "0199c3f2-5b7e-7c41-9a70-2f0d1c8e4b55",
  };

  test("tells time, tokens, cost, files and how to go on", () => {
    expect(summaryRows({ ...FACTS, cost: "$0.03" }, PLAIN)).toEqual([
      "12 min · 5 turns · 41.2k in (30.0k cached) · 6.1k out · $0.03 · 3 files changed",
      "Continue: interpreter resume 0199c3f2-5b7e-7c41-9a70-2f0d1c8e4b55",
    ]);
  });

  test("leaves out what is not known or nothing", () => {
    const usage = { input: 900, cachedInput: 0, cacheWrite: 0, output: 20, reasoning: 0 };
    const facts = { durationMs: 4200, turns: 1, usage, filesChanged: 0 };
    expect(summaryRows(facts, PLAIN)).toEqual(["4 s · 1 turn · 900 in · 20 out"]);
  });

  test("is not there when nothing was said", () => {
    expect(summaryRows({ ...FACTS, turns: 0 }, PLAIN)).toEqual([]);
  });
});
