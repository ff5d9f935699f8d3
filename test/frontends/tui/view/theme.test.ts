import { expect, test } from "bun:test";
import { makeTheme, type Theme } from "../../../../src/frontends/tui/view/theme.ts";

const COLORED = [
  "error",
  "warning",
  "ok",
  "added",
  "removed",
  "code",
  "keyword",
  "string",
  "number",
  "accent",
] as const;

test("with 256 colours each shade is easy to read on its background", () => {
  const contrasts = (theme: Theme, background: number) =>
    COLORED.map((role) => {
      const shade = Number(/38;5;(\d+)m/.exec(theme[role]("x"))?.[1]);
      return { role, shade, isReadable: contrast(luminance(shade), background) >= 4.5 };
    });
  const all = [
    ...contrasts(makeTheme({ level: 2 }), 0),
    ...contrasts(makeTheme({ level: 3 }), 0.013), // #1e1e1e
    ...contrasts(makeTheme({ level: 2, isLight: true }), 1),
  ];
  expect(all.filter(({ isReadable }) => !isReadable)).toEqual([]);
});

test("without colours bold, dim and underline stay", () => {
  const { error, bold, dim, underline, comment } = makeTheme({ level: 0 });
  expect([error("x"), bold("x"), dim("x"), underline("x"), comment("x")]).toEqual([
    "x",
    "\u001b[1mx\u001b[22m",
    "\u001b[2mx\u001b[22m",
    "\u001b[4mx\u001b[24m",
    "\u001b[2mx\u001b[22m",
  ]);
});

test("a terminal that knows no styles gets plain text", () => {
  const { marks, ...paints } = makeTheme({ level: 3, hasStyles: false });
  expect(Object.values(paints).map((paint) => paint("x"))).toEqual(Object.keys(paints).map(() => "x"));
  expect(marks.ok).toBe("✓");
});

test("another locale gets marks of plain letters", () => {
  const { marks } = makeTheme({ level: 0, isUnicode: false });
  expect(Object.values(marks).join("")).toMatch(/^[\u0020-\u007e]+$/);
});

/** Relative luminance of one of the 216 colours of the cube, from 0 to 1. */
function luminance(shade: number): number {
  const level = (n: number) => [0, 95, 135, 175, 215, 255][n] ?? 0;
  const index = shade - 16;
  const [red, green, blue] = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((n) => {
    const part = level(n) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
