import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TurnEvent } from "../../src/protocol/events.ts";
import { userText } from "../../src/protocol/items.ts";
import { Recorder } from "../../src/sessions/recorder.ts";
import { RolloutWriter } from "../../src/sessions/rollout.ts";
import { createSessionStore } from "../../src/sessions/store.ts";
import { appended, factsOf, filesBelow, linesOf, tempHome, turnStarted } from "./support.ts";

const message = (n: number, size = 0): TurnEvent => appended(userText(`${n} ${"x".repeat(size)}`));

/** Why no small file system can be mounted here; undefined when one can. */
function smallDiskProblem(): string | undefined {
  if (process.platform !== "linux") return "only Linux has tmpfs";
  using home = tempHome();
  const mounted = mount(home.path, 64);
  if (!mounted) return "mounting a tmpfs is not allowed here";
  unmount(home.path);
  return undefined;
}

function mount(path: string, kib: number): boolean {
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs", path]).success;
}

function unmount(path: string): void {
  Bun.spawnSync(["umount", path]);
}

const problem = smallDiskProblem();
const onSmallDisk = problem === undefined ? test : test.skip;
const title =
  "a full disk is reported once, whole lines fill what space is left, and the rest follows when there is room";

onSmallDisk(problem === undefined ? title : `${title} (skipped: ${problem})`, async () => {
  using home = tempHome();
  const sessions = join(home.path, "sessions");
  mkdirSync(sessions);
  expect(mount(sessions, 64)).toBe(true);
  try {
    const facts = factsOf();
    const store = createSessionStore({ home: home.path });
    const writer = store.create(facts);
    const reports: string[] = [];
    writer.onTrouble((report) => reports.push(report));
    const ballast = join(sessions, "ballast");
    writeFileSync(ballast, "b".repeat(30_000));

    writer.listener(turnStarted("go"));
    for (let n = 0; n < 20; n++) writer.listener(message(n, 3000));
    expect(reports).toEqual([
      `the session record ${writer.path} can't be written: no space is left on the disk; work goes on, and what is missing is added when there is room again`,
    ]);
    expect(readFileSync(writer.path, "utf8").endsWith("\n")).toBe(true);
    const before = linesOf(writer.path).length;
    expect(before).toBeGreaterThan(4);
    expect(before).toBeLessThan(20);

    rmSync(ballast);
    writer.listener(message(20));
    await writer[Symbol.asyncDispose]();
    const { history, damage } = await store.open(facts.id);
    expect(history).toHaveLength(21);
    expect(damage).toEqual({ lines: 0, repairedCalls: 0 });
    expect(reports).toHaveLength(1);
  } finally {
    unmount(sessions);
  }
});

onSmallDisk(
  problem === undefined
    ? "one line bigger than the free space leaves no half line"
    : `one line bigger than the free space leaves no half line (skipped: ${problem})`,
  async () => {
    using home = tempHome();
    expect(mount(home.path, 40)).toBe(true);
    try {
      const store = createSessionStore({ home: home.path });
      const facts = factsOf();
      const writer = store.create(facts);
      writer.listener(turnStarted("go"));
      const before = readFileSync(writer.path);
      writer.listener(message(1, 100_000));
      expect(readFileSync(writer.path)).toEqual(before);
      await writer[Symbol.asyncDispose]();
      expect((await store.open(facts.id)).damage).toEqual({ lines: 0, repairedCalls: 0 });
    } finally {
      unmount(home.path);
    }
  },
);

test("a folder that can't be made is reported once, and recording starts when it can", async () => {
  using home = tempHome();
  const inTheWay = join(home.path, "sessions");
  writeFileSync(inTheWay, "");
  const writer = createSessionStore({ home: home.path }).create(factsOf());
  writer.listener(turnStarted("go"));
  const reports: string[] = [];
  writer.onTrouble((report) => reports.push(report));
  writer.listener(message(1));
  expect(reports).toHaveLength(1);
  expect(reports[0]).toContain("sessions");
  rmSync(inTheWay);
  await writer.flush();
  expect(linesOf(writer.path).map((line) => line.ordinal)).toEqual([0, 1, 2, 3, 4]);
  await writer[Symbol.asyncDispose]();
});

test("what does not fit into memory either is counted in the record", async () => {
  using home = tempHome();
  const path = join(home.path, "blocked", "rollout.jsonl");
  writeFileSync(dirname(path), "");
  const recorder = new Recorder({ now: () => new Date(), facts: factsOf() });
  const writer = new RolloutWriter({ path, recorder, lock: { release: () => {} }, maxHeldBack: 5000 });
  writer.listener(turnStarted("go"));
  for (let n = 0; n < 10; n++) writer.listener(message(n, 1000));
  rmSync(dirname(path));
  writer.listener(message(10));
  await writer[Symbol.asyncDispose]();
  const kept = linesOf(path);
  const lost = 4 + 11 - (kept.length - 1);
  expect(lost).toBeGreaterThan(5);
  expect(kept.filter((line) => line.type === "event_msg").at(-1)?.payload).toEqual({
    type: "lines_lost",
    count: lost,
  });
});

test("files and folders are for their owner only, whatever the umask", async () => {
  for (const mask of [0o000, 0o022, 0o777]) {
    using home = tempHome();
    const store = createSessionStore({ home: join(home.path, "new") });
    const old = process.umask(mask);
    try {
      const facts = factsOf();
      const writer = store.create(facts);
      writer.listener(turnStarted("go"));
      await store.rename(facts.id, "named");
    } finally {
      process.umask(old);
    }
    const files = filesBelow(home.path);
    expect(files).toHaveLength(3);
    expect(files.map(modeOf)).toEqual(["600", "600", "600"]);
    const folders = ["new", "new/sessions", "new/sessions/2026", "new/sessions/2026/03", "new/session-locks"];
    expect(folders.map((name) => modeOf(join(home.path, name)))).toEqual(folders.map(() => "700"));
  }
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
