import { expect, test } from "bun:test";
import { SseDecoder, type SseEvent } from "../../src/model/sse.ts";

function decode(...pieces: string[]): SseEvent[] {
  const decoder = new SseDecoder();
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

for (const [name, end] of [
  ["LF", "\n"],
  ["CRLF", "\r\n"],
  ["CR", "\r"],
] as const) {
  test(`events with ${name} line ends are read, wherever the text is cut`, () => {
    const text = ["event: one", "data: a", "", "data:b", "", ""].join(end);
    const expected = [
      { event: "one", data: "a" },
      { event: "", data: "b" },
    ];
    for (let at = 0; at <= text.length; at++) {
      expect(decode(text.slice(0, at), text.slice(at))).toEqual(expected);
    }
    expect(decode(...text)).toEqual(expected);
  });
}

test("several data lines are one event", () => {
  expect(decode("data: {\ndata:  1}\n\n")).toEqual([{ event: "", data: "{\n 1}" }]);
});

test("comments, ids, retry hints and empty data are not events", () => {
  expect(decode(": ping\n\nid: 7\n\nretry: 3000\n\ndata:\n\ndata: \n\nevent: x\n\n")).toEqual([]);
});

test("the last event counts without its blank line", () => {
  expect(decode("data: a\n\ndata: b")).toEqual([
    { event: "", data: "a" },
    { event: "", data: "b" },
  ]);
});

test("a name belongs to its own event only", () => {
  expect(decode("event: error\ndata: a\n\ndata: b\n\n")).toEqual([
    { event: "error", data: "a" },
    { event: "", data: "b" },
  ]);
});
