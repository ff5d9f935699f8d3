import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { isGroupAlive } from "../../../src/util/kill.ts";

setDefaultTimeout(60_000);

const MODULE = join(import.meta.dir, "../../../src/tools/shell/kill-watch.ts");

/** A program that starts three sleepers in groups of their own, watches them, and lets the second one go again. */
const PROGRAM = `
  const { KillWatch } = await import(${JSON.stringify(MODULE)});
  const watch = new KillWatch();
  const pids = [1, 2, 3].map(() => Bun.spawn(["sh", "-c", "sleep 1000 & sleep 1000"], { detached: true }).pid);
  for (const pid of pids) watch.add(pid);
  watch.remove(pids[1]);
  if (process.argv.includes("close")) watch.close();
  console.log(JSON.stringify(pids));
  await Bun.sleep(1_000_000);
`;

async function started(...args: string[]): Promise<{ pids: number[]; child: Bun.Subprocess }> {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM, ...args], { stdout: "pipe" });
  for await (const chunk of child.stdout) return { pids: JSON.parse(Buffer.from(chunk).toString()), child };
  throw new Error("nothing was started");
}

const posixTest = test.skipIf(process.platform === "win32");

posixTest("groups that are still watched end when the program is killed, others do not", async () => {
  const { pids, child } = await started();
  const [first = 0, second = 0, third = 0] = pids;
  try {
    expect(pids.map(isGroupAlive)).toEqual([true, true, true]);
    child.kill("SIGKILL");
    while (isGroupAlive(first) || isGroupAlive(third)) await Bun.sleep(10);
    expect(isGroupAlive(second)).toBe(true);
  } finally {
    process.kill(-second, "SIGKILL");
  }
});

posixTest("what is still watched ends when the watch is closed", async () => {
  const { pids, child } = await started("close");
  const [first = 0, second = 0, third = 0] = pids;
  try {
    while (isGroupAlive(first) || isGroupAlive(third)) await Bun.sleep(10);
    expect([isGroupAlive(second), child.exitCode]).toEqual([true, null]);
  } finally {
    process.kill(-second, "SIGKILL");
    child.kill("SIGKILL");
  }
});
