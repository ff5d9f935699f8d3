import { expect, test } from "bun:test";
import { giantLineAnswer, withoutGiantLines } from "../../../src/frontends/acp/whole-lines.ts";

/** What is left of these chunks, and the beginnings of what was dropped. */
async function pass(chunks: readonly string[], maxBytes: number) {
  const dropped: string[] = [];
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  const left = await new Response(withoutGiantLines(input, maxBytes, (head) => dropped.push(head))).text();
  return { left, dropped };
}

test("lines that are short enough pass as they are, however they come", async () => {
  expect(await pass(["one\ntw", "o\n", "\n", "three"], 8)).toEqual({
    left: "one\ntwo\n\nthree",
    dropped: [],
  });
});

test("a line that is too long is left out, and those around it are not", async () => {
  expect(await pass(["one\n0123", "4567", "89\ntwo\n0123456789\nthree\n"], 6)).toEqual({
    left: "one\ntwo\nthree\n",
    dropped: ["01234567", "0123456789\n"],
  });
  expect(await pass(["0123456789"], 6)).toEqual({ left: "", dropped: ["0123456789"] });
});

test("the answer to a line that was left out goes to its request, where its beginning tells which", () => {
  const idOf = (head: string) => JSON.parse(giantLineAnswer(head)).id;
  expect([
    idOf('{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"x":"'),
    idOf('{ "id" : "a-1", "jsonrpc":"2.0","params":'),
    idOf('{"jsonrpc":"2.0","method":"session/prompt","id":8,"params":'),
    idOf('{"jsonrpc":"2.0","method":"x","params":{"id":9,"x":"'),
    idOf("xxxxxxxxxxxx"),
  ]).toEqual([7, "a-1", 8, null, null]);
  expect(JSON.parse(giantLineAnswer("")).error).toEqual({
    code: -32600,
    message: "the message is longer than 32 MiB and was not read",
  });
});
