import type { Item, Part, ToolInput, WireApi } from "../../src/protocol/items.ts";

/** Whole numbers from 0 to below `limit`, the same for the same seed. */
export type Random = (limit: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error("nothing to pick from");
  return value;
}

const PIECES = [
  "word",
  " ",
  "\n",
  "\r\n",
  "\0",
  '"',
  "\\",
  "{",
  '}{"timestamp":',
  "ä€𝄞",
  "\ud800",
  "\u2028",
  "\t",
  "",
];
const WIRES: readonly WireApi[] = ["responses", "chat", "messages"];

function randomText(random: Random): string {
  return Array.from({ length: random(6) }, () => pick(random, PIECES)).join("");
}

/** A conversation that is valid for every wire, made of all kinds of items. */
export function randomHistory(random: Random, answers: number): Item[] {
  const items: Item[] = [];
  for (let answer = 0; answer < answers; answer++) {
    if (random(2) === 0) items.push(...randomOther(random));
    items.push(...randomAnswer(random, answer));
  }
  return items;
}

function randomOther(random: Random): Item[] {
  if (random(8) === 0) return [{ type: "compaction", summary: randomText(random), replaced: random(100) }];
  const role = pick(random, ["system", "developer", "user"] as const);
  return [{ type: "message", role, content: randomParts(random, "input_text"), ...randomId(random) }];
}

function randomAnswer(random: Random, answer: number): Item[] {
  const calls = Array.from({ length: random(4) }, (_, n) => ({
    callId: `call_${answer}_${n}`,
    input: randomInput(random),
  }));
  const message: Item = {
    type: "message",
    role: "assistant",
    content: randomParts(random, "output_text"),
    ...randomId(random),
    ...(random(2) === 0 ? {} : { phase: pick(random, ["commentary", "final_answer"] as const) }),
  };
  return [
    ...(random(2) === 0 ? [] : [randomReasoning(random)]),
    ...(random(5) === 0 ? [randomOpaque(random)] : []),
    message,
    ...calls.map(
      (call): Item => ({ type: "tool_call", name: `tool_${random(3)}`, ...call, ...randomId(random) }),
    ),
    ...calls.map(
      ({ callId }): Item => ({
        type: "tool_result",
        callId,
        content: randomParts(random, "input_text"),
        ok: random(2) === 0,
      }),
    ),
  ];
}

function randomReasoning(random: Random): Item {
  return {
    type: "reasoning",
    summary: Array.from({ length: random(3) }, () => randomText(random)),
    ...(random(2) === 0 ? {} : { text: randomText(random) }),
    ...(random(2) === 0 ? {} : { sealed: { wire: pick(random, WIRES), data: randomText(random) } }),
    ...randomId(random),
  };
}

function randomOpaque(random: Random): Item {
  const raw = pick(random, [
    { type: "web_search_call", id: "ws" },
    { type: "message" },
    "text",
    5,
    null,
    [1],
    {},
  ]);
  return { type: "opaque", wire: pick(random, WIRES), raw };
}

function randomInput(random: Random): ToolInput {
  return { kind: pick(random, ["json", "text"] as const), raw: randomText(random) };
}

function randomParts(random: Random, type: "input_text" | "output_text"): Part[] {
  return Array.from({ length: random(4) }, (): Part => {
    if (random(4) > 0) return { type, text: randomText(random) };
    const image: Part = { type: "input_image", imageUrl: "data:image/png;base64,AAAA" };
    return random(2) === 0 ? image : { ...image, detail: pick(random, ["low", "high", "auto"] as const) };
  });
}

function randomId(random: Random): { id?: string } {
  return random(2) === 0 ? {} : { id: `id_${random(1000)}` };
}
