import { expect, test } from "bun:test";
import { LineOutput } from "../../src/util/line-output.ts";

/** A reader that takes as many texts as it is let. */
function slowSink() {
  const waiting: (() => void)[] = [];
  const events: string[] = [];
  return {
    events,
    isTty: false,
    columns: 80,
    write: (text: string) =>
      new Promise<void>((resolve) => {
        events.push(text);
        waiting.push(resolve);
      }),
    abandon: () => void events.push("abandoned"),
    take: () => waiting.shift()?.(),
  };
}

test("at the end, what is still being read is waited for", async () => {
  const sink = slowSink();
  const output = new LineOutput(sink, 2 ** 30);
  void output.write("one");
  void output.write("two");
  const ended = output.end();
  sink.take();
  sink.take();
  await ended;
  expect(sink.events).toEqual(["one", "two"]);
});

test("a reader that has stopped reading is not waited for", async () => {
  const sink = slowSink();
  const output = new LineOutput(sink, 1);
  void output.write("one");
  await output.end();
  expect(sink.events).toEqual(["one", "abandoned"]);
});
