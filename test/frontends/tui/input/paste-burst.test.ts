import { expect, test } from "bun:test";
import { InputDecoder } from "../../../../src/frontends/tui/input/decoder.ts";
import type { InputEvent } from "../../../../src/frontends/tui/input/keys.ts";
import { BURST_MS, PasteBurst } from "../../../../src/frontends/tui/input/paste-burst.ts";

/** What comes out of reads, each at its time in ms, as text: pastes in brackets, keys by name. */
function read(...reads: readonly (readonly [at: number, bytes: string])[]): string {
  const decoder = new InputDecoder();
  const burst = new PasteBurst();
  const events: InputEvent[] = [];
  let last = 0;
  for (const [at, bytes] of reads) {
    if (at - last >= BURST_MS) events.push(...burst.flush(last + BURST_MS));
    events.push(...burst.take(decoder.push(new TextEncoder().encode(bytes)), at));
    last = at;
  }
  events.push(...burst.flush(last + BURST_MS));
  return events.map(shown).join("");
}

function shown(event: InputEvent): string {
  if (event.type === "paste") return `[${event.text}]`;
  if (event.type !== "key") return `(${event.type})`;
  return event.ctrl ? `^${event.name}` : event.name.length > 1 ? `<${event.name}>` : event.name;
}

test("several lines that come at once are a paste, with the line end behind them", () => {
  expect(read([0, "one\rtwo\r"])).toBe("[one\ntwo\n]");
  expect(read([0, "one\n\ttwo  x"])).toBe("[one\n\ttwo  x]");
});

test("a paste that comes in several reads is one", () => {
  expect(read([0, "one\r"], [2, "two\rth"], [4, "ree"])).toBe("[one\ntwo\nthree]");
});

test("one line with Enter behind it is typed, by whatever", () => {
  expect(read([0, "/model\r"], [50, "x"])).toBe("/model<enter>x");
});

test("lines with other keys between them are typed", () => {
  expect(read([0, "/model\r\u001b[B\rnext draft"])).toBe("/model<enter><down><enter>next draft");
});

test("a command and what is typed into its question are typed", () => {
  expect(read([0, "/model\rqwen\rdraft"])).toBe("/model<enter>qwen<enter>draft");
  expect(read([0, "/etc/hosts\r/etc/group\r"])).toBe("[/etc/hosts\n/etc/group\n]");
});

test("Enter at the beginning of a read belongs to what was typed before", () => {
  expect(read([0, "go"], [50, "\rnext"])).toBe("go<enter>next");
  expect(read([0, "go"], [50, "\rone\rtwo"])).toBe("go<enter>[one\ntwo]");
});

test("single keys go through at once, however fast", () => {
  expect(read([0, "a"], [1, "b"], [2, "\r"], [3, "c"])).toBe("ab<enter>c");
});

test("Enter just after a paste is a line end, and later sends", () => {
  expect(read([0, "one\rtwo"], [100, "\r"], [300, "\r"])).toBe("[one\ntwo]^j<enter>");
});

test("where pastes are bracketed, lines at once are typed", () => {
  expect(read([0, "\u001b[200~a\nb\u001b[201~"], [50, "one\rtwo\r"])).toBe("[a\nb]one<enter>two<enter>");
});
