import { expect, test } from "bun:test";
import { InputDecoder } from "../../../../src/frontends/tui/input/decoder.ts";
import { type InputEvent, keyName } from "../../../../src/frontends/tui/input/keys.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const shown = (events: readonly InputEvent[]) =>
  events.map((event) =>
    event.type === "key" ? keyName(event) : event.type === "paste" ? `paste:${event.text}` : event.type,
  );

function decode(...reads: string[]): string[] {
  const decoder = new InputDecoder();
  const events = reads.flatMap((read) => decoder.push(bytes(read)));
  return shown([...events, ...decoder.flush()]);
}

test.each([
  ["abc", ["a", "b", "c"]],
  ["\r", ["enter"]],
  ["\n", ["ctrl+j"]],
  ["\u0003", ["ctrl+c"]],
  ["\u007f", ["backspace"]],
  ["\u001b[A\u001b[B", ["up", "down"]],
  ["\u001bOH", ["home"]],
  ["\u001b[1;5C", ["ctrl+right"]],
  ["\u001b[3~", ["delete"]],
  ["\u001b[Z", ["shift+tab"]],
  ["\u001b\r", ["alt+enter"]],
  ["\u001bb", ["alt+b"]],
  ["\u001b[13;2u", ["shift+enter"]],
  ["\u001b[27;2;13~", ["shift+enter"]],
  ["\u001b[99;5u", ["ctrl+c"]],
  ["\u001b[97;1:3u", []],
  ["\u001b[I\u001b[O", ["focus", "focus"]],
  ["\u001b[?1u", ["reply"]],
  ["\u001b]11;rgb:0000/0000/0000\u0007x", ["reply", "x"]],
  ["\u001b", ["escape"]],
  ["\u001b\u001b", ["escape", "escape"]],
])("%j is read as %j", (text, wanted) => {
  expect(decode(text)).toEqual(wanted);
});

test("a paste is one event, whatever is in it and wherever the reads cut it", () => {
  const text = "\u001b[200~one\r\ntwo\u001b[A\u001b[201~\r";
  const wanted = ["paste:one\ntwo\u001b[A", "enter"];
  expect(decode(text)).toEqual(wanted);
  for (let cut = 1; cut < text.length; cut += 1)
    expect(decode(text.slice(0, cut), text.slice(cut))).toEqual(wanted);
});

test("characters and sequences cut by a read are joined", () => {
  const all = bytes("é👩‍💻\u001b[1;5C日");
  for (let cut = 1; cut < all.length; cut += 1) {
    const decoder = new InputDecoder();
    const events = [
      ...decoder.push(all.subarray(0, cut)),
      ...decoder.push(all.subarray(cut)),
      ...decoder.flush(),
    ];
    expect(shown(events).join("")).toBe(["é", "👩‍💻", "ctrl+right", "日"].join(""));
  }
});

test("a lone Esc waits for time to decide", () => {
  const decoder = new InputDecoder();
  expect(decoder.push(bytes("\u001b"))).toEqual([]);
  expect(decoder.isWaiting).toBe(true);
  expect(shown(decoder.flush())).toEqual(["escape"]);
  expect(decoder.isWaiting).toBe(false);
});
