import { expect, test } from "bun:test";
import { GrowingText } from "../../../src/frontends/acp/growing-text.ts";

const DROPPED = "\n[the editor's terminal has dropped what came before]\n";

function news(...given: [text: string, isCut: boolean][]): string[] {
  const text = new GrowingText();
  return given.map(([whole, isCut]) => text.next(whole, isCut));
}

test("of a text that grows, only what is new comes", () => {
  expect(news(["one\n", false], ["one\n", false], ["one\ntwo\n", false])).toEqual(["one\n", "", "two\n"]);
});

test("a line that was drawn anew comes again, and only from there on", () => {
  expect(news(["a\n10 %", false], ["a\n20 %\nb", false])).toEqual(["a\n10 %", "20 %\nb"]);
  expect(news(["10 %", false], ["20 %", false])).toEqual(["10 %", "20 %"]);
});

test("a text whose beginning is dropped goes on where it was", () => {
  const line = (n: number) => `line ${n}\n`;
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => line(from + i)).join("");
  expect(news([lines(0, 5000), false], [lines(3000, 6000), true])).toEqual([
    lines(0, 5000),
    lines(5000, 6000),
  ]);
});

test("where nothing joins on to what was seen, that is said", () => {
  expect(news(["abc", false], ["xyz", true])).toEqual(["abc", `${DROPPED}xyz`]);
  expect(news(["late", true])).toEqual([`${DROPPED}late`]);
});
