import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assistantText, userText } from "../../src/protocol/items.ts";
import { lockSession } from "../../src/sessions/lock.ts";
import { createSessionStore } from "../../src/sessions/store.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import { factsOf, tempHome, turn } from "./support.ts";

const NOW = () => new Date("2026-03-04T05:06:07.000Z");
const ID = "01890000-0000-7000-8000-000000000000";

const lockPath = (home: string) => join(home, "session-locks", `${ID}.lock`);
const locksIn = (home: string) => readdirSync(join(home, "session-locks"));

function lockFailure(home: string) {
  try {
    lockSession(home, ID, NOW).release();
  } catch (cause) {
    return toErrorInfo(cause);
  }
  return "locked";
}

/** A lock file as another process would have left it. */
function leaveLock(home: string, content: unknown): void {
  mkdirSync(join(home, "session-locks"), { recursive: true });
  writeFileSync(lockPath(home), typeof content === "string" ? content : JSON.stringify(content));
}

/** A process that runs until it is disposed of. */
async function startProcess() {
  const child = Bun.spawn(["sleep", "600"], { stdin: "ignore", stdout: "ignore" });
  const end = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { pid: child.pid, end, [Symbol.asyncDispose]: end };
}

test("a second writer of a running process is refused and told who has the session", async () => {
  using home = tempHome();
  await using other = await startProcess();
  leaveLock(home.path, { pid: other.pid, since: "2026-01-01T00:00:00.000Z" });
  expect(lockFailure(home.path)).toEqual({
    code: "session.locked",
    message: `session ${ID} is being written by process ${other.pid}, since 2026-01-01T00:00:00.000Z`,
    retryable: false,
    hint: `go on there, end it, or fork the session; if no such process runs, remove ${lockPath(home.path)}`,
  });
  await other.end();
  expect(lockFailure(home.path)).toBe("locked");
  expect(locksIn(home.path)).toEqual([]);
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux(
  "a lock of an earlier process that had the same number does not count (skipped without /proc)",
  async () => {
    using home = tempHome();
    await using other = await startProcess();
    leaveLock(home.path, { pid: other.pid, start_ticks: "1", since: "" });
    expect(lockFailure(home.path)).toBe("locked");
  },
);

test("a lock file that was never filled counts for a moment only", () => {
  using home = tempHome();
  leaveLock(home.path, "");
  expect(lockFailure(home.path)).toMatchObject({ code: "session.locked" });
  const before = new Date(Date.now() - 60_000);
  utimesSync(lockPath(home.path), before, before);
  expect(lockFailure(home.path)).toBe("locked");
});

test("one process can't write a session twice at a time", async () => {
  using home = tempHome();
  const store = createSessionStore({ home: home.path });
  const facts = factsOf();
  const writer = store.create(facts);
  for (const event of turn("one", [])) writer.listener(event);
  const refusal = await store.open(facts.id).then(() => undefined, toErrorInfo);
  expect(refusal).toEqual({
    code: "session.locked",
    message: `session ${facts.id} is already open in this program`,
    retryable: false,
    hint: "go on there, or fork the session",
  });
  await writer[Symbol.asyncDispose]();
  expect((await store.open(facts.id)).history).toHaveLength(1);
});

test("a session that is being written can be forked", async () => {
  using home = tempHome();
  const store = createSessionStore({ home: home.path });
  const facts = factsOf();
  const writer = store.create(facts);
  for (const event of turn("one", [assistantText("1")])) writer.listener(event);
  const forked = await store.fork(facts.id, factsOf());
  for (const event of turn("two", [])) forked.writer.listener(event);
  expect((await store.fork(forked.facts.id, factsOf())).history).toEqual([
    userText("one"),
    assistantText("1"),
    userText("two"),
  ]);
});

test("only one of many processes that want a left lock gets it", async () => {
  using home = tempHome();
  leaveLock(home.path, { pid: 2 ** 30, since: "" });
  const script = `
    import { lockSession } from ${JSON.stringify(join(import.meta.dir, "../../src/sessions/lock.ts"))};
    try { lockSession(${JSON.stringify(home.path)}, ${JSON.stringify(ID)}, () => new Date()); console.log("got"); }
    catch (error) { console.log(error.code); }
    for await (const _ of Bun.stdin.stream());`;
  const children = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe" }),
  );
  const answers = await Promise.all(
    children.map(async (child) => {
      const { value } = await child.stdout.getReader().read();
      return new TextDecoder().decode(value).trim();
    }),
  );
  const holder = children[answers.indexOf("got")];
  expect(answers.sort()).toEqual(["got", ...Array.from({ length: 5 }, () => "session.locked")]);
  expect(JSON.parse(readFileSync(lockPath(home.path), "utf8")).pid).toBe(holder?.pid);
  for (const child of children) child.stdin.end();
  await Promise.all(children.map((child) => child.exited));
});
