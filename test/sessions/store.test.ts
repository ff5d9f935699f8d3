import { expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { SessionFacts } from "../../src/protocol/events.ts";
import { assistantText, userText } from "../../src/protocol/items.ts";
import { createSessionStore } from "../../src/sessions/store.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import { appended, factsOf, filesBelow, linesOf, tempHome, turn, turnStarted } from "./support.ts";

const NOW = new Date("2026-03-04T05:06:08.123Z");

function storeIn(home: string) {
  return createSessionStore({ home, now: () => NOW });
}

/** A recorded session of one turn whose file was last changed `changed` seconds after some moment. */
async function recorded(home: string, changes: Partial<SessionFacts>, text: string, changed: number) {
  const facts = factsOf(changes);
  const writer = storeIn(home).create(facts);
  for (const event of turn(text, [assistantText(`re: ${text}`)])) writer.listener(event);
  await writer[Symbol.asyncDispose]();
  utimesSync(writer.path, 1_770_000_000 + changed, 1_770_000_000 + changed);
  return { id: facts.id, path: writer.path };
}

const idsOf = async (home: string, filter: { cwd?: string; limit?: number }) =>
  (await storeIn(home).list(filter)).map((summary) => summary.id);

test("sessions are listed by their last change, newest first, with what a picker shows", async () => {
  using home = tempHome();
  const old = await recorded(home.path, { createdAt: "2025-12-31T10:00:00.000Z" }, "  first\n line ", 30);
  const newer = await recorded(
    home.path,
    { createdAt: "2026-01-01T10:00:00.000Z", source: "tui" },
    "second",
    20,
  );
  await storeIn(home.path).rename(newer.id, "a name");
  expect(await storeIn(home.path).list({})).toEqual([
    {
      id: old.id,
      path: old.path,
      cwd: "/home/me/project",
      createdAt: "2025-12-31T10:00:00.000Z",
      updatedAt: "2026-02-02T02:40:30.000Z",
      source: "exec",
      model: "mock-1",
      preview: "first line",
    },
    {
      id: newer.id,
      path: newer.path,
      cwd: "/home/me/project",
      createdAt: "2026-01-01T10:00:00.000Z",
      updatedAt: "2026-02-02T02:40:20.000Z",
      source: "tui",
      model: "mock-1",
      title: "a name",
      preview: "second",
    },
  ]);
});

test("a list can be limited to a folder and a number", async () => {
  using home = tempHome();
  const a = await recorded(home.path, { cwd: "/a" }, "1", 1);
  const b = await recorded(home.path, { cwd: "/b" }, "2", 2);
  const c = await recorded(home.path, { cwd: "/a" }, "3", 3);
  expect(await idsOf(home.path, { cwd: "/a" })).toEqual([c.id, a.id]);
  expect(await idsOf(home.path, { limit: 2 })).toEqual([c.id, b.id]);
  expect(await idsOf(home.path, { cwd: "/b", limit: 1 })).toEqual([b.id]);
  expect(await idsOf(home.path, { cwd: "/c" })).toEqual([]);
});

test("a session whose folder stands far behind in its file is listed too", async () => {
  using home = tempHome();
  const { id, path } = await recorded(home.path, {}, "x", 1);
  const head = `{"timestamp":"","type":"future","payload":"${"x".repeat(150_000)}"}\n`;
  writeFileSync(path, head + readFileSync(path, "utf8"));
  expect(await idsOf(home.path, { cwd: "/home/me/project" })).toEqual([id]);
  expect(await idsOf(home.path, { cwd: "/other" })).toEqual([]);
});

test("files of one time are listed by when they were created", async () => {
  using home = tempHome();
  const old = await recorded(home.path, { createdAt: "2025-12-31T10:00:00.000Z" }, "1", 5);
  const newer = await recorded(home.path, { createdAt: "2026-02-01T10:00:00.000Z" }, "2", 5);
  expect(await idsOf(home.path, {})).toEqual([newer.id, old.id]);
});

test("sub-agents' sessions and files that are not sessions are not listed", async () => {
  using home = tempHome();
  const own = await recorded(home.path, {}, "mine", 1);
  await recorded(home.path, { parent: own.id }, "child", 2);
  const folder = join(home.path, "sessions", "2026", "03");
  writeFileSync(join(folder, "notes.txt"), "x");
  const day = join(folder, "05");
  mkdirSync(day);
  for (const name of [
    "rollout-x.jsonl",
    "rollout-2026-03-05T01-02-03-garbage.jsonl",
    "rollout-2026-03-05T01-02-03-empty.jsonl",
  ])
    writeFileSync(join(day, name), name.includes("garbage") ? "\0\0{{{\n" : "");
  expect(await idsOf(home.path, {})).toEqual([own.id]);
});

test("a home without sessions has an empty list", async () => {
  using home = tempHome();
  expect(await idsOf(join(home.path, "none"), {})).toEqual([]);
});

test("a session is found by its id, the beginning of its id, and its newest name", async () => {
  using home = tempHome();
  const [one, two] = ["01890000-aaaa-7000-8000-000000000001", "01890000-bbbb-7000-8000-000000000002"];
  await recorded(home.path, { id: one }, "1", 1);
  await recorded(home.path, { id: two }, "2", 2);
  const store = storeIn(home.path);
  await store.rename(one, "  the\tjob ");
  await store.rename("01890000-b", "other");
  const found = async (wanted: string) => {
    const { facts, writer } = await store.open(wanted);
    await writer[Symbol.asyncDispose]();
    return [facts.id, facts.title];
  };
  expect(await found(one)).toEqual([one, "the job"]);
  expect(await found("01890000-A")).toEqual([one, "the job"]);
  expect(await found("other")).toEqual([two, "other"]);
  await store.rename(two, "the job");
  expect(await found("the job")).toEqual([two, "the job"]);
  expect(
    await store.open("other").then(
      () => "found",
      (error) => error.code,
    ),
  ).toBe("session.not_found");
});

test("a damaged name index costs no more than its damaged names", async () => {
  using home = tempHome();
  const { id } = await recorded(home.path, {}, "1", 1);
  const index = join(home.path, "session_index.jsonl");
  await storeIn(home.path).rename(id, "good");
  appendFileSync(index, `{"id":"${id}","thread_na`);
  expect((await storeIn(home.path).list({})).map((summary) => summary.title)).toEqual(["good"]);
  await storeIn(home.path).rename(id, "better");
  expect((await storeIn(home.path).list({})).map((summary) => summary.title)).toEqual(["better"]);
});

test("an id that fits no session, or several, is an error that says so", async () => {
  using home = tempHome();
  const ids = ["01890000-aaaa-7000-8000-000000000001", "01890000-aaaa-7000-8000-000000000002"];
  for (const id of ids) await recorded(home.path, { id }, "x", 1);
  const failure = (wanted: string) =>
    storeIn(home.path)
      .open(wanted)
      .then(() => undefined, toErrorInfo);
  expect(await failure("01890000-0000-7000-8000-000000000000")).toEqual({
    code: "session.not_found",
    message: "no saved session found with the id or name 01890000-0000-7000-8000-000000000000",
    retryable: false,
    hint: "list the saved sessions with `interpreter resume`",
  });
  expect(await failure("01890000-aaaa")).toEqual({
    code: "session.not_found",
    message: "01890000-aaaa is the beginning of 2 session ids",
    retryable: false,
    hint: `give more of it: ${ids.toReversed().join(", ")}`,
  });
  for (const wanted of ["018", "", "../../x"])
    expect(await failure(wanted)).toMatchObject({ code: "session.not_found" });
});

test("an archived session is named with the way back", async () => {
  using home = tempHome();
  const { id, path } = await recorded(home.path, {}, "x", 1);
  const archived = join(home.path, "archived_sessions", basename(path));
  mkdirSync(join(home.path, "archived_sessions"));
  renameSync(path, archived);
  const store = storeIn(home.path);
  expect(await store.open(id).then(() => undefined, toErrorInfo)).toEqual({
    code: "session.not_found",
    message: `session ${id} is archived`,
    retryable: false,
    hint: `to go on with it, move ${archived} to ${path}`,
  });
});

test("a fork goes on under its own id and leaves its source alone", async () => {
  using home = tempHome();
  const source = await recorded(home.path, { instructions: "old" }, "one", 1);
  const before = linesOf(source.path);
  const store = storeIn(home.path);
  const facts = factsOf({ instructions: "new" });
  const forked = await store.fork(source.id, facts);
  expect(forked.facts).toEqual({ ...facts, forkedFrom: source.id });
  expect(forked.history).toEqual([userText("one"), assistantText("re: one")]);
  expect(forked.lastContext?.model).toBe("mock-1");
  expect(filesBelow(join(home.path, "sessions"))).toEqual([source.path]);

  for (const event of turn("two", [])) forked.writer.listener(event);
  await forked.writer[Symbol.asyncDispose]();
  const again = await store.open(facts.id);
  expect(again.facts).toEqual({ ...facts, forkedFrom: source.id });
  expect(again.history).toEqual([userText("one"), assistantText("re: one"), userText("two")]);
  expect(linesOf(source.path)).toEqual(before);
  const lines = linesOf(forked.writer.path);
  expect(lines.map((line) => line.ordinal)).toEqual(lines.map((_, index) => index));
  expect(lines.filter((line) => line.type === "session_meta")).toHaveLength(1);
});

test("a fork can leave out the last turns, and says so for everybody who reads it", async () => {
  using home = tempHome();
  const source = await recorded(home.path, {}, "one", 1);
  const store = storeIn(home.path);
  const longer = await store.open(source.id);
  for (const event of turn("two", [assistantText("re: two")])) longer.writer.listener(event);
  await longer.writer[Symbol.asyncDispose]();
  const facts = factsOf();
  const forked = await store.fork(source.id, facts, 1);
  expect(forked.history).toEqual([userText("one"), assistantText("re: one")]);
  for (const event of turn("other", [])) forked.writer.listener(event);
  await forked.writer[Symbol.asyncDispose]();
  const again = await store.open(facts.id);
  expect(again.history).toEqual([userText("one"), assistantText("re: one"), userText("other")]);
  expect((await store.open(source.id)).history).toHaveLength(4);
});

test("an id that could lead out of the folder is refused", () => {
  using home = tempHome();
  expect(() => storeIn(home.path).create(factsOf({ id: "../x" }))).toThrow('not a session id: "../x"');
});

test("the preview is the user's first words, not notes about the environment", async () => {
  using home = tempHome();
  const writer = storeIn(home.path).create(factsOf());
  writer.listener(appended(userText("<environment_context>\n</environment_context>")));
  writer.listener(turnStarted(`${"long ".repeat(100)}`));
  await writer[Symbol.asyncDispose]();
  const [summary] = await storeIn(home.path).list({});
  expect(summary?.preview).toBe("long ".repeat(32).trim());
});

test("a session that can't be read is an error that says why, and no list waits for it", async () => {
  using home = tempHome();
  const session = await recorded(home.path, {}, "first", 10);
  const store = storeIn(home.path);
  const messages: string[] = [];
  for (const put of [
    () => Bun.spawnSync(["mkfifo", session.path]),
    () => mkdirSync(session.path),
    () => symlinkSync(session.path, session.path),
  ]) {
    rmSync(session.path, { recursive: true });
    put();
    expect(await store.list({})).toEqual([]);
    for (const attempt of [() => store.open(session.id), () => store.fork(session.id, factsOf({}))])
      messages.push(
        await attempt().then(
          () => "opened",
          (cause) => toErrorInfo(cause).message,
        ),
      );
  }
  const start = `nothing could be read from the session record ${session.path}: `;
  const reasons = ["it is not an ordinary file", "it is not an ordinary file", "ELOOP"].flatMap((why) => [
    why,
    why,
  ]);
  expect(messages).toEqual(reasons.map((why) => start + why));
});

test("a folder of sessions that can't be listed is named", () => {
  using home = tempHome();
  const folder = join(home.path, "sessions");
  symlinkSync(folder, folder);
  expect(storeIn(home.path).list({})).rejects.toMatchObject({
    code: "session.not_found",
    message: `the sessions in ${folder} can't be listed (ELOOP)`,
  });
});

test("a session that another program has packed is found by its id, and plain again when it goes on", async () => {
  using home = tempHome();
  const { id, path } = await recorded(home.path, {}, "first", 10);
  const packed = `${path}.zst`;
  const text = readFileSync(path);
  writeFileSync(packed, Bun.zstdCompressSync(text));
  expect(await idsOf(home.path, {})).toEqual([id]);
  rmSync(path);
  expect(await idsOf(home.path, {})).toEqual([]);
  await using opened = (await storeIn(home.path).open(id)).writer;
  expect([opened.path, readFileSync(path)]).toEqual([path, text]);
  expect(filesBelow(home.path).filter((name) => name.endsWith(".zst"))).toEqual([]);
});

test("a packed session that is damaged is an error that names it, and stays", async () => {
  using home = tempHome();
  const { id, path } = await recorded(home.path, {}, "first", 10);
  rmSync(path);
  writeFileSync(`${path}.zst`, "no archive");
  const attempts = [() => storeIn(home.path).open(id), () => storeIn(home.path).fork(id, factsOf({}))];
  for (const attempt of attempts) {
    const { code, message } = toErrorInfo(await attempt().catch((cause: unknown) => cause));
    expect([code, message.startsWith(`${path}.zst can't be unpacked: `)]).toEqual(["session.corrupt", true]);
  }
  expect(readFileSync(`${path}.zst`, "utf8")).toBe("no archive");
});
