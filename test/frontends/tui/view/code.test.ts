import { expect, test } from "bun:test";
import { codeOf, paintCode } from "../../../../src/frontends/tui/view/code.ts";
import type { Span } from "../../../../src/frontends/tui/view/languages.ts";
import { LANGUAGES } from "../../../../src/frontends/tui/view/languages.ts";
import { makeTheme, type Theme } from "../../../../src/frontends/tui/view/theme.ts";

/** Roles in place of colours: `k<if>`. */
const ROLES: Theme = {
  ...makeTheme({ level: 0 }),
  code: (text) => `c<${text}>`,
  keyword: (text) => `k<${text}>`,
  string: (text) => `s<${text}>`,
  number: (text) => `n<${text}>`,
  comment: (text) => `#<${text}>`,
  added: (text) => `a<${text}>`,
  removed: (text) => `r<${text}>`,
};

function painted(language: string, code: string): string[] {
  const ready = codeOf(language);
  let inside: Span | undefined;
  return code.split("\n").map((line) => {
    const row = paintCode(line, ready, inside, ROLES);
    inside = row.inside;
    return row.painted;
  });
}

test("keywords, strings, numbers and comments of a language have their colours", () => {
  expect(painted("ts", `const a: T = "x\\"y" + 0x1f; // if`)).toEqual([
    `k<const> a: T = s<"x\\"y"> + n<0x1f>; #<// if>`,
  ]);
  expect(painted("Python", `def f(x): return x + 1.5  # why`)).toEqual([
    "k<def> f(x): k<return> x + n<1.5>  #<# why>",
  ]);
  expect(painted("sql", "select 1 from t -- x")).toEqual(["k<select> n<1> k<from> t #<-- x>"]);
});

test("a word that only contains a keyword or a number is a plain word", () => {
  expect(painted("js", "format(x2, iffy, $if, a.get)")).toEqual(["format(x2, iffy, $if, a.get)"]);
});

test("what goes on over several lines keeps its colour until it ends", () => {
  expect(painted("js", "a /* b\nc */ `d\n// \\` e` if")).toEqual([
    "a #</* b>",
    "#<c */> s<`d>",
    "s<// \\` e`> k<if>",
  ]);
  expect(painted("py", `"""doc\nif\n""" if`)).toEqual([`s<"""doc>`, "s<if>", `s<"""> k<if>`]);
});

test("shells, data and markup show names and variables", () => {
  expect(painted("bash", `echo "$A" $B #c`)).toEqual([`k<echo> s<"$A"> k<$B> #<#c>`]);
  expect(painted("json", `{"a": "b", "c": [1, true]}`)).toEqual([
    `{k<"a">: s<"b">, k<"c">: [n<1>, k<true>]}`,
  ]);
  expect(painted("yaml", `- key: "v" # c`)).toEqual([`- k<key>: s<"v"> #<# c>`]);
  expect(painted("html", `<a href="x">t</a>`)).toEqual([`k<<a> href=s<"x">k<>>tk<</a>k<>>`]);
  expect(painted("diff", "@@ -1 +1 @@\n-a\n+b\n c")).toEqual([
    "\u001b[2m@@ -1 +1 @@\u001b[22m",
    "r<-a>",
    "a<+b>",
    " c",
  ]);
});

test("an unknown language has one colour", () => {
  expect(painted("brainfuck", "if +++")).toEqual(["c<if +++>"]);
});

test("a line far too long to be read is not painted", () => {
  const line = "if ".repeat(1000);
  expect(painted("js", line)).toEqual([line]);
});

test("no letter is lost, in any language", () => {
  const code = `if (a) { "s" 'c' /* x */ # y // z\n<b c="d"> $e {- f -} --[[ g ]] \`h\` 1.5e3 [i]\n@j: 'open`;
  const plain = makeTheme({ level: 0, hasStyles: false });
  for (const { names } of LANGUAGES) {
    const ready = codeOf(names.split(" ")[0] ?? "");
    let inside: Span | undefined;
    const lines = code.split("\n").map((line) => {
      const row = paintCode(line, ready, inside, plain);
      inside = row.inside;
      return row.painted;
    });
    expect([names, lines.join("\n")]).toEqual([names, code]);
  }
});

test("no name belongs to two languages", () => {
  const names = LANGUAGES.flatMap((language) => language.names.split(" "));
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
