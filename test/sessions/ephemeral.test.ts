import { expect, test } from "bun:test";
import { assistantText, userText } from "../../src/protocol/items.ts";
import { createEphemeralStore } from "../../src/sessions/ephemeral.ts";
import { randomFrom, randomHistory } from "./random.ts";
import { appended, factsOf, turn, turnStarted } from "./support.ts";

const NOW = () => new Date("2026-03-04T05:06:08.123Z");

test("a session in memory can be opened again, and no file is named", async () => {
  const store = createEphemeralStore();
  const items = randomHistory(randomFrom(3), 20);
  const facts = factsOf();
  const writer = store.create(facts);
  for (const event of [turnStarted("go"), ...items.slice(0, 9).map(appended)]) writer.listener(event);
  const { writer: again } = await store.open(facts.id);
  for (const event of [turnStarted("go"), ...items.slice(9).map(appended)]) again.listener(event);
  const opened = await store.open(facts.id);
  expect(opened.history).toStrictEqual(items);
  expect(opened.facts).toEqual(facts);
  expect([writer.path, opened.writer.path]).toEqual(["", ""]);
});

test("sessions in memory are listed, named and forked like those on disk", async () => {
  const store = createEphemeralStore({ now: NOW });
  const [one, two, unused] = [factsOf({ cwd: "/a" }), factsOf({ cwd: "/b" }), factsOf()];
  store.create(unused);
  const first = store.create(one);
  const second = store.create(two);
  for (const event of turn("first", [assistantText("1")])) first.listener(event);
  for (const event of turn("second", [])) second.listener(event);
  first.listener(turnStarted("more"));
  await store.rename(one.id, "named");
  expect((await store.list({})).map((summary) => summary.id)).toEqual([one.id, two.id]);
  expect(await store.list({ cwd: "/a", limit: 1 })).toEqual([
    {
      id: one.id,
      path: "",
      cwd: "/a",
      createdAt: one.createdAt,
      updatedAt: "2026-03-04T05:06:08.123Z",
      source: "exec",
      model: "mock-1",
      title: "named",
      preview: "first",
    },
  ]);
  const copy = factsOf();
  const forked = await store.fork("named", copy);
  for (const event of turn("third", [])) forked.writer.listener(event);
  const opened = await store.open(copy.id);
  expect(opened.facts).toEqual({ ...copy, forkedFrom: one.id });
  expect(opened.history).toEqual([userText("first"), assistantText("1"), userText("third")]);
  expect(
    await store.open(unused.id).then(
      () => "found",
      (error) => error.code,
    ),
  ).toBe("session.not_found");
});
