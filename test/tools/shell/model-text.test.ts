import { expect, test } from "bun:test";
import { readable } from "../../../src/tools/shell/model-text.ts";

test("of a line that was written over and over the last state is left", () => {
  expect(readable("1%\r2%\r100%\r\ndone\n")).toBe("100%\ndone\n");
  expect(readable("1%\r2%\r")).toBe("2%");
  expect(readable("\r\n\r\n")).toBe("\n\n");
});

test("colours, titles, links and clipboard writes leave their text only", () => {
  expect(readable("a\x1b[31mred\x1b[0m\x1b]52;c;aGk=\x07z\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\")).toBe(
    "aredzlink",
  );
  expect(readable("\x1b[2K\x1b[?25l\x1b(B\x1b=x\x1b[38;5;10m.")).toBe("x.");
});

test("a sequence without its end costs no more than its line", () => {
  expect(readable("\x1b]0;title\nnext\n")).toBe("\nnext\n");
  expect(readable("end\x1b")).toBe("end");
});

test("NUL separates words, other control characters are dropped, tabs stay", () => {
  expect(readable("a\0b\tc\x07\x01\x7f\n")).toBe("a b\tc\n");
});

test("backspaces take back what they follow", () => {
  expect(readable("|\b/\b-\b done\nN\bNA\bAM\bM\n")).toBe(" done\nNAM\n");
});
