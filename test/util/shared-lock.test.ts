import { expect, test } from "bun:test";
import { SharedLock } from "../../src/util/async.ts";

/** Work that ends when it is told to, and the order in which it started. */
function work() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    run: (lock: SharedLock, name: string, exclusive: boolean) =>
      lock.run(exclusive, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }),
    end: async (name: string, done: Promise<void>) => {
      ends.get(name)?.();
      await done;
    },
  };
}

test("no more readers run at once than the lock allows, and a writer runs alone, all in order of arrival", async () => {
  const lock = new SharedLock(2);
  const { started, run, end } = work();
  const a = run(lock, "a", false);
  const b = run(lock, "b", false);
  const c = run(lock, "c", false);
  const w = run(lock, "w", true);
  const d = run(lock, "d", false);
  await Promise.resolve();
  expect(started).toEqual(["a", "b"]);
  await end("a", a);
  expect(started).toEqual(["a", "b", "c"]);
  await end("b", b);
  expect(started).toEqual(["a", "b", "c"]);
  await end("c", c);
  expect(started).toEqual(["a", "b", "c", "w"]);
  await end("w", w);
  expect(started).toEqual(["a", "b", "c", "w", "d"]);
  await end("d", d);
});
