import { expect, test } from "bun:test";
import { Outgoing } from "../../../src/core/turn/outgoing.ts";
import { type Item, userText } from "../../../src/protocol/items.ts";
import { AppError } from "../../../src/util/errors.ts";

const picture = { type: "input_image", imageUrl: "data:image/png;base64,AA==" } as const;
const note = { type: "input_text", text: "[image left out: the model server refused it]" } as const;
const shown = (callId: string): Item[] => [
  { type: "tool_call", callId, name: "view_image", input: { kind: "json", raw: "{}" } },
  { type: "tool_result", callId, ok: true, content: [picture] },
];
const message = (): Item => ({
  type: "message",
  role: "user",
  content: [picture, { type: "input_text", text: "look" }],
});
const refused = (words: string, status = 400) => new AppError("model.rejected", words, { status });

function outgoing() {
  const logged: string[] = [];
  return { logged, out: new Outgoing((line) => logged.push(line)) };
}

test("a valid history is sent as it is", () => {
  const { out, logged } = outgoing();
  const items = [message(), ...shown("1")];
  expect(out.prepare(items)).toEqual(items);
  expect(logged).toEqual([]);
});

test("a history that had to be repaired is logged once, not with every request", () => {
  const { out, logged } = outgoing();
  const items = [userText("a"), ...shown("1").slice(0, 1)];
  for (let request = 0; request < 3; request++) {
    expect(out.prepare(items).at(-1)).toMatchObject({ type: "tool_result", callId: "1", ok: false });
  }
  expect(logged).toEqual(["history was repaired: the call 1 of view_image has no result after it"]);
});

test("pictures that the server refuses are left out from then on, later ones are sent", () => {
  const { out } = outgoing();
  const items = [message(), ...shown("1")];
  expect(out.learn(refused("Could not process image"), items)).toBe(true);
  const later = [...items, ...shown("2")];
  expect(out.prepare(later)).toEqual([
    { type: "message", role: "user", content: [note, { type: "input_text", text: "look" }] },
    { type: "tool_call", callId: "1", name: "view_image", input: { kind: "json", raw: "{}" } },
    { type: "tool_result", callId: "1", ok: true, content: [note] },
    ...shown("2"),
  ]);
});

test("the same refusal twice is an error, as nothing is left to leave out", () => {
  const { out } = outgoing();
  const items = [message()];
  expect(out.learn(refused("image exceeds 5 MB maximum"), items)).toBe(true);
  expect(out.learn(refused("image exceeds 5 MB maximum"), items)).toBe(false);
});

test("a request that is too large is tried without its pictures", () => {
  expect(outgoing().out.learn(refused("unexpected status 413", 413), [message()])).toBe(true);
  expect(outgoing().out.learn(refused("unexpected status 413", 413), [userText("a")])).toBe(false);
});

test("other errors, and requests without pictures, teach nothing", () => {
  const { out } = outgoing();
  expect(out.learn(refused("unknown model"), [message()])).toBe(false);
  expect(out.learn(refused("invalid image"), [userText("a")])).toBe(false);
  expect(out.learn(new AppError("model.overloaded", "image queue is full"), [message()])).toBe(false);
});
