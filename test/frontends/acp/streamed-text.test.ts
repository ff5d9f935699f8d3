import { expect, test } from "bun:test";
import { StreamedText } from "../../../src/frontends/acp/streamed-text.ts";

function recorded() {
  const sent: string[] = [];
  const ids = new Set<string>();
  const text = new StreamedText((chunk, id) => {
    sent.push(chunk);
    ids.add(id);
  });
  return { text, sent, ids };
}

test("pieces go out as they come, and the whole text adds nothing to them", () => {
  const { text, sent, ids } = recorded();
  text.add("one ");
  text.add("two");
  text.finish("one two");
  expect({ sent, messages: ids.size }).toEqual({ sent: ["one ", "two"], messages: 1 });
});

test("a text that never came in pieces goes out whole", () => {
  const { text, sent } = recorded();
  text.finish("all at once");
  expect(sent).toEqual(["all at once"]);
});

test("a text that begins again with the same words is gone on with where it was torn", () => {
  const { text, sent, ids } = recorded();
  text.add("one two");
  text.restart();
  for (const piece of ["one ", "two th", "ree"]) text.add(piece);
  text.finish("one two three");
  expect({ whole: sent.join(""), messages: ids.size }).toEqual({ whole: "one two three", messages: 1 });
});

test("a text that begins again with other words is another message", () => {
  const { text, sent, ids } = recorded();
  text.add("one");
  text.restart();
  text.add("two");
  text.add("!");
  expect({ sent, messages: ids.size }).toEqual({ sent: ["one", "\n\ntwo", "!"], messages: 2 });
});
