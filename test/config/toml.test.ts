import { expect, test } from "bun:test";
import { decodeText } from "../../src/config/text.ts";
import { parseToml } from "../../src/config/toml.ts";
import { placeOf, scanToml } from "../../src/config/toml-scan.ts";
import { toErrorInfo } from "../../src/util/errors.ts";

function fault(text: string): { message: string; hint?: string } {
  try {
    parseToml(text, "config.toml");
  } catch (cause) {
    const { message, hint } = toErrorInfo(cause);
    return hint === undefined ? { message } : { message, hint };
  }
  throw new Error("nothing was refused");
}

test("UTF-8 with a mark and both orders of UTF-16 are read as the same text", () => {
  const text = 'model = "größe"\r\n';
  const little = Buffer.from(text, "utf16le");
  const big = Buffer.from(text, "utf16le").swap16();
  const files = [
    Buffer.from(text),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
    Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
    little,
    big,
  ];
  for (const file of files) expect(decodeText(file, "f")).toBe(text);
});

test("bytes in another encoding are refused with their line", () => {
  const bytes = Buffer.concat([Buffer.from('a = 1\nb = "'), Buffer.from([0xe9]), Buffer.from('"\n')]);
  expect(() => decodeText(bytes, "config.toml")).toThrow(
    "config.toml:2: wanted UTF-8 text, found other bytes",
  );
});

test("a Windows path in double quotes is explained", () => {
  expect(fault('\n[x]\ncommand = "C:\\Users\\me"\n')).toEqual({
    message: "config.toml:3:16: a backslash in double quotes starts an escape, and this is not a valid one",
    hint: "write a Windows path in single quotes ('C:\\dir\\file') or with double backslashes (\"C:\\\\dir\\\\file\")",
  });
});

test("a key given twice is named with both lines", () => {
  expect(fault('model = "a"\n\nmodel = "b"\n')).toEqual({
    message: "config.toml:3:1: duplicate key: model is set twice, first on line 1 and again here",
    hint: "keep one of the two",
  });
  expect(fault("[a.b]\nx = 1\n[a.b]\ny = 2\n").message).toContain(
    "duplicate key: a.b is set twice, first on line 1",
  );
});

test("usual slips get a remedy", () => {
  const slips: [string, string, string][] = [
    [
      "model = gpt-x",
      "1:9: wanted a value, found text without quotes",
      'put text in double quotes: key = "text"',
    ],
    ["x = True", "1:5: wanted true or false in lower case", "write true or false without quotes"],
    [
      "model: x",
      '1:6: wanted "=" between key and value, found ":"',
      'write key = value, with text in double quotes: key = "text"',
    ],
    ["model = “x”", "1:9: found a typographic quotation mark", "use the plain quotes \" or ' around text"],
  ];
  for (const [text, message, hint] of slips) {
    expect(fault(text)).toEqual({ message: `config.toml:${message}`, hint });
  }
});

test("any other fault has its place, the reader's reason and no line of the file, which may hold a key", () => {
  const { message } = fault('a = 1\nkey = "secret\n');
  expect(message).toStartWith("config.toml:2:");
  expect(message).not.toContain("secret");
});

test("places are found in every form of table, and comments and strings do not mislead", () => {
  const text = `# [no]
a."b.c".d = 1 # [no]
s = """
[no]
x = 1
"""
list = [
  "]", # ]
  2,
]
t = { x = 1 }
[one.'two']
  y = '#'
[[many]]
z = 1
[[many]]
z = 2
[many.inner]
w = 3
`;
  const places = [
    ["a", "b.c", "d"],
    ["list", "1"],
    ["t", "x"],
    ["one", "two", "y"],
    ["many", "0", "z"],
    ["many", "1", "z"],
    ["many", "1", "inner", "w"],
    ["no"],
  ].map((path) => placeOf(text, scanToml(text), path));
  expect(places.map((place) => place && [place.line, place.column])).toEqual([
    [2, 1],
    [7, 1],
    [11, 1],
    [13, 3],
    [15, 1],
    [17, 1],
    [19, 1],
    undefined,
  ]);
});
