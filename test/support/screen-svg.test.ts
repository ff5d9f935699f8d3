import { expect, test } from "bun:test";
import { screenSvg } from "./screen-svg.ts";

const SIZE = { columns: 10, rows: 3 };

test("each stretch of one look is drawn at its column, with its colour and length", () => {
  expect(texts("a \u001b[1;31mred\u001b[0m  <&\n\u001b[38;5;80mx\u001b[39;2my")).toEqual([
    '<text x="14" y="28" textLength="16.8">a </text>',
    '<text x="30.8" y="28" textLength="25.2" fill="#f07178" font-weight="bold">red</text>',
    '<text x="72.8" y="28" textLength="16.8">&lt;&amp;</text>',
    '<text x="14" y="47" textLength="8.4" fill="#5fd7d7">x</text>',
    '<text x="22.4" y="47" textLength="8.4" opacity="0.6">y</text>',
  ]);
});

test("wide characters take two columns, and a look goes on in the next row", () => {
  expect(texts("\u001b[4m漢\u001b[38;2;1;2;3m字\nz")).toEqual([
    '<text x="14" y="28" textLength="16.8" text-decoration="underline">漢</text>',
    '<text x="30.8" y="28" textLength="16.8" fill="#010203" text-decoration="underline">字</text>',
    '<text x="14" y="47" textLength="8.4" fill="#010203" text-decoration="underline">z</text>',
  ]);
});

test("reversed cells have a ground of their own, blank or not", () => {
  const svg = screenSvg("\u001b[7m  \u001b[0m", "t", SIZE);
  expect(svg).toContain('<rect x="14" y="14" width="16.8" height="19" fill="#d8dce4"/>');
});

test("empty rows at the end, and rows beyond the screen, are left out", () => {
  expect(screenSvg("a\n\n\n\n", "t", SIZE)).toContain('height="47" ');
  expect(texts("a\nb\nc\nd")).toHaveLength(3);
});

function texts(captured: string): string[] {
  return screenSvg(captured, "t", SIZE)
    .split("\n")
    .filter((line) => line.startsWith("<text"));
}
