import { describe, expect, test } from "bun:test";
import { MarkdownStream } from "../../../../src/frontends/tui/view/markdown.ts";
import { makeTheme } from "../../../../src/frontends/tui/view/theme.ts";

const PLAIN = makeTheme({ level: 0, hasStyles: false });
const COLORS = makeTheme({ level: 1 });

function rows(markdown: string, width = 60, theme = PLAIN): string[] {
  const stream = new MarkdownStream();
  stream.push(markdown);
  return stream.end(width, theme);
}

describe("what Markdown looks like", () => {
  test("headings lose their marks and are set off", () => {
    expect(rows("# One\ntext\n## Two ##\nmore\n\nThree\n===\nend")).toEqual([
      "One",
      "text",
      "",
      "Two",
      "more",
      "",
      "Three",
      "end",
    ]);
  });

  test("emphasis and code are styles, not marks", () => {
    expect(rows("a **b** *c* _d_ `e` ~~f~~ ***g***", 60, COLORS)).toEqual([
      "a \u001b[1mb\u001b[22m \u001b[3mc\u001b[23m \u001b[3md\u001b[23m \u001b[36me\u001b[39m " +
        "\u001b[9mf\u001b[29m \u001b[3m\u001b[1mg\u001b[22m\u001b[23m",
    ]);
  });

  test("bold that ends in a mark beside a letter is bold all the same", () => {
    expect(rows("**Note:**text, **中文：**中文")).toEqual(["Note:text, 中文：中文"]);
  });

  test("what only looks like markup stays as it was written", () => {
    const text = "a_b_c 2 ** 3 <div> [x] **open [a][b] C:\\dir\\file";
    expect(rows(text)).toEqual([text]);
    expect(rows("2*3*4 f(x)*g(y)*2 __init__.py [a](http://x/__init__)")).toEqual([
      "2*3*4 f(x)*g(y)*2 __init__.py a (http://x/__init__)",
    ]);
    expect(rows("*so*, **so**, __So__ and 中*文*")).toEqual(["so, so, So and 中文"]);
    expect(rows("[name]: http://example.org")).toEqual(["[name]: http://example.org"]);
  });

  test("line ends stay line ends, and drawings keep their shape", () => {
    expect(rows("name: a\nage: b\n\n    +--+\n    |  |\n    +--+")).toEqual([
      "name: a",
      "age: b",
      "",
      "    +--+",
      "    |  |",
      "    +--+",
    ]);
  });

  test("lists keep their numbers and their depth, and wrap behind their marks", () => {
    expect(rows("Do:\n1. first of\n   - nested in two rows\n   - [x] b\n2. last\n\n   of it", 16)).toEqual([
      "Do:",
      "1. first of",
      "   - nested in",
      "     two rows",
      "   - [x] b",
      "2. last",
      "",
      "   of it",
    ]);
  });

  test("quotes keep a bar, also around lists and other quotes", () => {
    expect(rows("> one\n> - two\n>\n> > three\n\nend", 20)).toEqual([
      "│ one",
      "│ - two",
      "│",
      "│ │ three",
      "",
      "end",
    ]);
  });

  test("a link is its text and, once, its address", () => {
    expect(rows("[docs](https://a.org/b_c_d) <https://b.org> https://c.org/x_y ![pic](p.png)", 90)).toEqual([
      "docs (https://a.org/b_c_d) https://b.org https://c.org/x_y pic (p.png)",
    ]);
  });

  test("code keeps its spaces and its marks", () => {
    expect(rows("so:\n```py\nif x:\n    **y**  = 1\n\n# no heading\n```\ndone")).toEqual([
      "so:",
      "",
      "  if x:",
      "      **y**  = 1",
      "",
      "  # no heading",
      "",
      "done",
    ]);
  });

  test("a fence inside of a fence of more marks is text", () => {
    expect(rows("````md\n```\nx\n```\n````\nend")).toEqual(["  ```", "  x", "  ```", "", "end"]);
  });

  test("code in a list item is set in with it", () => {
    expect(rows("1. run\n   ```sh\n   make\n   ```\n2. look")).toEqual(["1. run", "     make", "2. look"]);
  });
});

describe("tables", () => {
  const TABLE = "| file | n |\n|---|--:|\n| 日本語.ts | 12 |\n| a.ts **b** | 3 |";

  test("wide characters keep the columns", () => {
    expect(rows(TABLE)).toEqual(["file        n", "─────────  ──", "日本語.ts  12", "a.ts b      3"]);
  });

  test("the widest column gives way where there is no room", () => {
    expect(rows("a | b\n--|--\nx | one two three four five six seven eight nine", 40)).toEqual([
      "a  b",
      `─  ${"─".repeat(37)}`,
      "x  one two three four five six seven",
      "   eight nine",
    ]);
  });

  test("under 40 columns each cell is a row with its name", () => {
    expect(rows(TABLE, 39)).toEqual(["- file: 日本語.ts", "  n: 12", "- file: a.ts b", "  n: 3"]);
  });

  test("a bar in a cell and cells too many are not lost", () => {
    expect(rows("| a |\n|---|\n| x\\|y | z |")).toEqual(["a", "───────", "x|y | z"]);
  });

  test("lines with bars and without a head are text", () => {
    expect(rows("| a | b |\n| c | d |")).toEqual(["| a | b |", "| c | d |"]);
  });
});

describe("while it streams", () => {
  test("each row is given out once, as soon as its block is finished", () => {
    const stream = new MarkdownStream();
    stream.push("one **tw");
    expect(stream.commit(40, PLAIN)).toEqual([]);
    expect(stream.open(40, PLAIN)).toEqual(["one tw"]);
    stream.push("o**\n\n- a");
    expect(stream.commit(40, PLAIN)).toEqual(["one two"]);
    expect(stream.open(40, PLAIN)).toEqual(["", "- a"]);
    stream.push("b\n- c\n");
    expect(stream.commit(40, PLAIN)).toEqual(["", "- ab"]);
    expect(stream.end(40, PLAIN)).toEqual(["- c"]);
    expect(stream.end(40, PLAIN)).toEqual([]);
  });

  test("lines of code are given out as they end, with the colours of what they go on with", () => {
    const stream = new MarkdownStream();
    stream.push("```js\n/* a\nb */ if\n``");
    expect(stream.commit(40, COLORS)).toEqual([
      "  \u001b[2m/* a\u001b[22m",
      "  \u001b[2mb */\u001b[22m \u001b[35mif\u001b[39m",
    ]);
    expect(stream.open(40, COLORS)).toEqual([]);
  });

  test("a table waits for its end", () => {
    const stream = new MarkdownStream();
    stream.push("| a | b |\n|---|---|\n| 1 | 2 |\n");
    expect(stream.commit(40, PLAIN)).toEqual([]);
    expect(stream.open(40, PLAIN)).toEqual(["a  b", "─  ─", "1  2"]);
    stream.push("| long | 3 |\n\n");
    expect(stream.commit(40, PLAIN)).toEqual(["a     b", "────  ─", "1     2", "long  3"]);
  });

  test("of a text taller than the live part, all but the last row is given out", () => {
    const stream = new MarkdownStream({ maxOpenRows: 2 });
    for (const word of "one two three four five six seven eight nine ten".split(" ")) stream.push(`${word} `);
    expect(stream.commit(10, PLAIN)).toEqual(["one two", "three four", "five six", "seven", "eight nine"]);
    stream.push("eleven\n");
    expect(stream.end(10, PLAIN)).toEqual(["ten eleven"]);
  });

  test("of a table taller than the live part, the rows are given out in fixed columns", () => {
    const stream = new MarkdownStream();
    stream.push(`| n | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(13)}`);
    expect(stream.commit(40, PLAIN)).toEqual(["n  b", "─  ─", ...Array.from({ length: 13 }, () => "1  2")]);
    stream.push("| 3 | 45 |\n\nend");
    expect(stream.end(40, PLAIN)).toEqual(["3  4", "   5", "", "end"]);
  });

  test("the open part stays small, however long the answer and each of its blocks", () => {
    const blocks = [
      "word **bold** ",
      "日本語、",
      "line of text\n",
      "- item\n",
      "> quote\n",
      "| a | b |\n|---|---|\n",
    ];
    for (const block of blocks) {
      const stream = new MarkdownStream({ maxOpenRows: 8 });
      let most = 0;
      for (let i = 0; i < 500; i++) {
        stream.push(block);
        stream.commit(40, PLAIN);
        most = Math.max(most, stream.open(40, PLAIN).length);
      }
      expect([block, most <= 20]).toEqual([block, true]);
    }
  });

  test("a long paragraph that was given out leaves no empty row behind", () => {
    const text = `${"one line of a paragraph\n".repeat(30)}- an item\n\nthe end\n`;
    const stream = new MarkdownStream();
    const streamed: string[] = [];
    for (const line of text.split(/(?<=\n)/)) {
      stream.push(line);
      streamed.push(...stream.commit(40, PLAIN));
    }
    const wanted = [
      ...Array.from({ length: 30 }, () => "one line of a paragraph"),
      "- an item",
      "",
      "the end",
    ];
    expect([...streamed, ...stream.end(40, PLAIN)]).toEqual(wanted);
  });

  test("the pieces that it comes in make no difference", () => {
    const text = `${SAMPLE}\r\n\r\n${SAMPLE}`;
    for (const width of [24, 40, 80]) {
      const whole = rows(text, width, COLORS);
      for (const [size, maxOpenRows] of [1, 2, 5, 64].flatMap((size) =>
        [4, 8].map((most) => [size, most] as const),
      )) {
        const stream = new MarkdownStream({ maxOpenRows });
        const streamed: string[] = [];
        for (let at = 0; at < text.length; at += size) {
          stream.push(text.slice(at, at + size));
          streamed.push(...stream.commit(width, COLORS));
          stream.open(width, COLORS);
        }
        expect([...streamed, ...stream.end(width, COLORS)]).toEqual(whole);
      }
    }
  });
});

describe("text that nobody can trust", () => {
  const HOSTILE = [
    "x \u001b]52;c;cHduZWQ=\u0007 \u001b]0;PWN\u0007 \u001bP+q\u001b\\ END",
    "&#27;[2J &#x9b;31m `\u001b[8m` [a](http://x/&#27;]0;b&#7;) \u202e\u200b\u2066",
    "```\u001b[31m\n\u001b[2J\u009b1A\r\u0008\n```",
    "| \u001b[1m | b |\n|---|---|\n| \u0001\u0002\u0003 | \u0004 |",
    "\u0001\u0002\u0003 **a\u0003b** \u0003c\u0003 \ufdd0 &#xfdd1;",
  ].join("\n\n");

  test("nothing but our own colours reaches the terminal", () => {
    for (const theme of [PLAIN, COLORS]) {
      const stream = new MarkdownStream();
      stream.push(HOSTILE);
      const shown = [...stream.open(40, theme), ...stream.end(40, theme)].join("");
      expect(shown.replace(/\u001b\[[0-9;]*m/g, "")).not.toMatch(CONTROLS);
      expect(shown).toContain("END");
    }
    expect(rows(HOSTILE).join("")).not.toContain("\u001b");
  });

  test("no row is wider than asked for", () => {
    const text = [SAMPLE, HOSTILE, ">".repeat(300), "|".repeat(300), "👩‍👩‍👧".repeat(50)].join("\n");
    for (const width of [4, 11, 40, 79])
      expect(rows(text, width, COLORS).filter((row) => Bun.stringWidth(row) > width)).toEqual([]);
  });

  test("thousands of open marks cost nothing", () => {
    const text = ["[", "*a ", "`", ">", "|", "- "].map((mark) => mark.repeat(5000)).join("\n");
    expect(rows(text, 200).length).toBeGreaterThan(0);
  });
});

const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/;
const SAMPLE = `# Plan

The **bold** word, *it* and \`code\`. A long line that goes on with **more bold words** than fit.
Second line with [docs](https://example.org/a_b) 日本語テキスト👩‍💻
1. first
   - nested
     on

   paragraph
   \`\`\`ts
   const a = \`x
     y\`; // c
   \`\`\`
2. second
> quote **b**
> - item

a | b
--|--
x | 1 **2** 3
| y | 2 |

---
    drawing
end **open`;
