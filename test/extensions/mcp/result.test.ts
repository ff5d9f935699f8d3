import { expect, test } from "bun:test";
import { CallResult, type McpOutcome, modelContent } from "../../../src/extensions/mcp/result.ts";

const HEAD = "Wall time: 1.5000 seconds\nOutput:";
const outcome = (content: unknown[], more = {}): McpOutcome => ({
  durationMs: 1500,
  result: { content, ...more },
});
/** The head of one is enough to tell what it is. */
const PNG = Buffer.from("\x89PNG\r\n\x1a\n....", "latin1").toString("base64");
const texts = (...parts: string[]) => parts.map((text) => ({ type: "input_text" as const, text }));

test("a structured result stands for the whole answer", () => {
  const both = outcome([{ type: "text", text: "seven" }], { structuredContent: { count: 7 } });
  expect(modelContent(both, { images: true })).toEqual(texts(`${HEAD}\n{"count":7}`));
});

test("one part without its list, text alone and nothing at all are understood", () => {
  const part = { type: "text", text: "seven" };
  const read = (content: unknown) => CallResult.parse({ content }).content;
  expect([read(part), read("seven"), read(null), read(undefined)]).toEqual([[part], [part], [], []]);
});

test("parts follow the head one by one", () => {
  const parts = outcome([
    { type: "text", text: "a" },
    { type: "resource", resource: { uri: "x://1", text: "inside" } },
    { type: "resource", resource: { uri: "x://2", blob: "AAAA" } },
    { type: "resource_link", uri: "x://3", name: "three" },
    { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    { type: "new kind", value: 1 },
  ]);
  expect(modelContent(parts, { images: true })).toEqual(
    texts(
      HEAD,
      "a",
      "inside",
      "[resource x://2, binary, left out]",
      "[resource x://3: three]",
      "[audio audio/wav, left out]",
      '{"type":"new kind","value":1}',
    ),
  );
});

test("a picture is a picture for a model that can look at it, else a remark", () => {
  const picture = outcome([{ type: "image", data: PNG, mimeType: "image/x-any" }]);
  expect(modelContent(picture, { images: true })).toEqual([
    ...texts(HEAD),
    { type: "input_image", imageUrl: `data:image/png;base64,${PNG}` },
  ]);
  expect(modelContent(picture, { images: false })).toEqual(
    texts(HEAD, "[image image/x-any, left out: this model does not look at images]"),
  );
});

test("a tool that could not be reached says why", () => {
  expect(modelContent({ durationMs: 3, error: "the server exited" }, { images: true })).toEqual(
    texts("tool call error: the server exited"),
  );
});

test.each([
  ["text", "aGVsbG8="],
  ["an empty one", ""],
  ["not base64", `${PNG}!`],
])("what a server calls an image and is not becomes a remark: %s", (_, data) => {
  const picture = outcome([{ type: "image", data, mimeType: "image/png" }]);
  expect(modelContent(picture, { images: true })).toEqual(
    texts(HEAD, "[image image/png, left out: it is not PNG, JPEG, GIF or WebP]"),
  );
});

test("a picture that is too large for any model becomes a remark", () => {
  const data = PNG + "A".repeat(21 * 1024 * 1024);
  expect(modelContent(outcome([{ type: "image", data, mimeType: "image/png" }]), { images: true })).toEqual(
    texts(HEAD, "[image image/png, left out: it is larger than 15 MiB]"),
  );
});
