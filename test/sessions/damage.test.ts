import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { assistantText, userText } from "../../src/protocol/items.ts";
import { createSessionStore } from "../../src/sessions/store.ts";
import { pick, type Random, randomFrom, randomHistory } from "./random.ts";
import {
  appended,
  callOf,
  factsOf,
  flaws,
  linesOf,
  resultOf,
  tempHome,
  turn,
  turnCompleted,
  turnStarted,
} from "./support.ts";

const FACTS = factsOf();
const SIMPLE = turn("first", [callOf("c1"), resultOf("c1", "out"), assistantText("answer")]);

async function recordedIn(home: string, events = SIMPLE): Promise<string> {
  await using writer = createSessionStore({ home }).create(FACTS);
  for (const event of events) writer.listener(event);
  return writer.path;
}

function openIn(home: string) {
  return createSessionStore({ home }).open(FACTS.id);
}

type Damage = (bytes: Buffer, random: Random) => Buffer;

/** Where each line begins, without the first. */
function lineStarts(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(10, at + 1))
    starts.push(at + 1);
  return starts;
}

function splice(bytes: Buffer, at: number, removed: number, inserted: Buffer | string): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at + removed)]);
}

const DAMAGES: Record<string, Damage> = {
  "a cut end": (bytes, random) => {
    const firstLine = bytes.indexOf(10) + 1;
    return bytes.subarray(0, firstLine + random(bytes.length - firstLine + 1));
  },
  "a hole": (bytes, random) => splice(bytes, random(bytes.length), 1 + random(300), ""),
  "a block of NULs": (bytes, random) => {
    const size = 1 + random(300);
    return splice(bytes, random(bytes.length), size, Buffer.alloc(size));
  },
  "a line of NULs": (bytes, random) =>
    splice(bytes, pick(random, lineStarts(bytes)), 0, `${"\0".repeat(300)}\n`),
  "bytes that are not text": (bytes, random) =>
    splice(bytes, random(bytes.length), 2, Buffer.from([0xff, 0xc3])),
  "two lines in one": (bytes, random) => splice(bytes, pick(random, lineStarts(bytes)) - 1, 1, ""),
  "a lost line": (bytes, random) => {
    const start = pick(random, [0, ...lineStarts(bytes)]);
    return splice(bytes, start, bytes.indexOf(10, start) + 1 - start, "");
  },
  "a line twice": (bytes, random) => {
    const start = pick(random, [0, ...lineStarts(bytes)]);
    return splice(bytes, start, 0, bytes.subarray(start, bytes.indexOf(10, start) + 1));
  },
  "a line at another place": (bytes, random) => {
    const start = pick(random, [0, ...lineStarts(bytes)]);
    const line = bytes.subarray(start, bytes.indexOf(10, start) + 1);
    const rest = splice(bytes, start, line.length, "");
    return splice(rest, pick(random, lineStarts(rest)), 0, line);
  },
  "Windows line ends": (bytes) => Buffer.from(bytes.toString().replaceAll("\n", "\r\n")),
  "a byte order mark": (bytes) => splice(bytes, 0, 0, "\ufeff"),
  "garbage lines": (bytes, random) =>
    splice(
      bytes,
      pick(random, lineStarts(bytes)),
      0,
      pick(random, [
        "null\n",
        "[1]\n",
        "{}\n",
        "<<<<<<< HEAD\n",
        '{"type":"response_item"}\n',
        '{"type":"response_item","payload":{"type":"message"}}\n',
        '{"type":"compacted","payload":7}\n',
        '{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":-3}}\n',
      ]),
    ),
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`${name} anywhere in a file never stops a resume, and the history stays valid`, async () => {
    using home = tempHome();
    const random = randomFrom(name.length * 7919);
    const items = randomHistory(random, 25);
    const path = await recordedIn(home.path, [turnStarted("go"), ...items.map(appended), turnCompleted("")]);
    const whole = readFileSync(path);
    for (let n = 0; n < 60; n++) {
      const bytes = damage(whole, random);
      writeFileSync(path, n % 2 === 0 ? bytes : damage(bytes, random));
      const { history, facts, damage: found, writer } = await openIn(home.path);
      expect(flaws(history)).toEqual([]);
      expect(facts.id).toBe(FACTS.id);
      expect(found.lines).toBeLessThanOrEqual(4);
      await writer[Symbol.asyncDispose]();
    }
  });
}

test("each item that is not on a damaged line is still there", async () => {
  using home = tempHome();
  const words = Array.from({ length: 200 }, (_, n) => userText(`message ${n}`));
  const path = await recordedIn(home.path, [turnStarted("go"), ...words.map(appended)]);
  const whole = readFileSync(path);
  const random = randomFrom(5);
  for (let n = 0; n < 40; n++) {
    const starts = lineStarts(whole);
    const line = 5 + random(190);
    const [from = 0, to = 0] = [starts[line], starts[line + 1]];
    const cutAt = from + 1 + random(to - from - 2);
    writeFileSync(path, splice(whole, cutAt, to - cutAt, pick(random, ["", "\n", "\0\0\0", "\0\n"])));
    const { history, damage, writer } = await openIn(home.path);
    await writer[Symbol.asyncDispose]();
    expect(history).toEqual(words.filter((_, index) => index !== line - 3));
    expect(damage).toEqual({ lines: 1, repairedCalls: 0 });
  }
});

test("after a cut line, new records begin on a line of their own", async () => {
  using home = tempHome();
  const path = await recordedIn(home.path);
  writeFileSync(path, readFileSync(path).subarray(0, -25));
  const opened = await openIn(home.path);
  for (const event of turn("second", [assistantText("again")])) opened.writer.listener(event);
  await opened.writer[Symbol.asyncDispose]();
  const again = await openIn(home.path);
  expect(again.history).toEqual([
    userText("first"),
    callOf("c1"),
    resultOf("c1", "out"),
    assistantText("answer"),
    userText("second"),
    assistantText("again"),
  ]);
  expect(again.damage).toEqual({ lines: 1, repairedCalls: 0 });
});

test("a call whose result was lost is answered with a stand-in", async () => {
  using home = tempHome();
  const path = await recordedIn(home.path);
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.filter((line) => !line.includes("function_call_output")).join("\n"));
  const { history, damage } = await openIn(home.path);
  expect(history).toEqual([
    userText("first"),
    callOf("c1"),
    resultOf("c1", "aborted", false),
    assistantText("answer"),
  ]);
  expect(damage).toEqual({ lines: 0, repairedCalls: 1 });
});

test("record types of a newer version are passed over without a word", async () => {
  using home = tempHome();
  const path = await recordedIn(home.path);
  appendFileSync(path, '{"timestamp":"2027-01-01T00:00:00Z","type":"from_the_future","payload":{"x":1}}\n');
  appendFileSync(
    path,
    '{"timestamp":"2027-01-01T00:00:00Z","type":"response_item","payload":{"type":"hologram"}}\n',
  );
  appendFileSync(path, '{"timestamp":"2027-01-01T00:00:00Z","type":"event_msg","payload":{"type":"sang"}}\n');
  const { history, damage } = await openIn(home.path);
  expect(history).toHaveLength(4);
  expect(damage).toEqual({ lines: 0, repairedCalls: 0 });
});

test("without its first line a session is known by its file's name and its turns, and gets the line back", async () => {
  using home = tempHome();
  const path = await recordedIn(home.path);
  writeFileSync(path, `{"timest\n${readFileSync(path, "utf8").split("\n").slice(1).join("\n")}`);
  const opened = await openIn(home.path);
  const { cwd, provider, model, harness, id } = FACTS;
  expect(opened.facts).toEqual({
    ...{ cwd, provider, model, harness, id },
    createdAt: "2026-03-04T05:06:07.000Z",
    originator: "unknown",
    source: "exec",
    cliVersion: "unknown",
  });
  opened.writer.listener(turnStarted("on"));
  await opened.writer[Symbol.asyncDispose]();
  expect((await createSessionStore({ home: home.path }).list({ cwd })).map((found) => found.id)).toEqual([
    id,
  ]);
  const types = readFileSync(path, "utf8").match(/"type":"session_meta"/g);
  expect(types).toHaveLength(1);
});

test("a file of which nothing can be read is named, and can be opened again later", async () => {
  using home = tempHome();
  const path = await recordedIn(home.path);
  const whole = readFileSync(path);
  writeFileSync(path, "\0\0\0\0\n<html>\n");
  expect(
    await openIn(home.path).then(
      () => "opened",
      (error) => [error.code, error.message],
    ),
  ).toEqual([
    "session.corrupt",
    `nothing could be read from the session record ${path}: no line of it is part of a session`,
  ]);
  writeFileSync(path, whole);
  expect((await openIn(home.path)).history).toHaveLength(4);
  expect(linesOf(path)).toHaveLength(9);
});
