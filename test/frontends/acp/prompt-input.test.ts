import { expect, test } from "bun:test";
import { inputOf } from "../../../src/frontends/acp/prompt-input.ts";

test("text, pictures, links and resources reach the model in their order", () => {
  const input = inputOf([
    { type: "text", text: "look at " },
    { type: "resource_link", name: "a b.ts", uri: "file:///w/a%20b.ts" },
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "resource", resource: { uri: "file:///w/n.md", text: "body" } },
    { type: "resource", resource: { uri: "x:pic", mimeType: "image/gif", blob: "BBBB" } },
    { type: "resource", resource: { uri: "x:zip", mimeType: "application/zip", blob: "BBBB" } },
  ]);
  expect(input).toEqual([
    { type: "input_text", text: "look at " },
    { type: "input_text", text: "[a b.ts](/w/a b.ts)" },
    { type: "input_image", imageUrl: "data:image/png;base64,AAAA" },
    { type: "input_text", text: '<resource uri="/w/n.md">\nbody\n</resource>' },
    { type: "input_image", imageUrl: "data:image/gif;base64,BBBB" },
    { type: "input_text", text: '<resource uri="x:zip">\n(3 bytes that are not text)\n</resource>' },
  ]);
});

test("what was not advertised is refused", () => {
  expect(() => inputOf([{ type: "audio", mimeType: "audio/wav", data: "AAAA" }])).toThrow("audio");
});

test("a prompt that says nothing is refused", () => {
  expect(() => inputOf([])).toThrow("the prompt is empty");
  expect(() => inputOf([{ type: "text", text: " \n" }])).toThrow("the prompt is empty");
  expect(
    inputOf([
      { type: "text", text: "" },
      { type: "image", mimeType: "image/png", data: "AAAA" },
    ]),
  ).toHaveLength(2);
});

test("a picture that is none is refused before it gets into the conversation", () => {
  const image = (mimeType: string, data: string) => () => inputOf([{ type: "image", mimeType, data }]);
  expect(image("text/html", "AAAA")).toThrow("a picture must be of a type image/…, found text/html");
  expect(image("image/png;x", "AAAA")).toThrow("a type image/…");
  expect(image("image/png", "!!!")).toThrow("must be in base64");
  expect(image("image/png", "")).toThrow("must be in base64");
});
