import { expect, test } from "bun:test";
import { endTree, LastResort } from "../../src/util/kill.ts";
import { gone } from "../tools/shell/support.ts";

test("ending a tree ends grandchildren, also one that ignores polite signals and one in a session of its own", async () => {
  const script = `
    bash -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &
    setsid bash -c 'echo $$; sleep 60; :' &
    wait`;
  const child = Bun.spawn(["/bin/bash", "-c", script], { detached: true, stdout: "pipe", stdin: "ignore" });
  const grandchildren = await firstNumbers(child.stdout, 2);
  expect(grandchildren).toHaveLength(2);
  await endTree(child.pid);
  await Promise.all([child.pid, ...grandchildren].map(gone));
});

async function firstNumbers(stream: ReadableStream<Uint8Array>, count: number): Promise<number[]> {
  let text = "";
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString();
    if (text.split("\n").length > count) break;
  }
  return text.trim().split("\n").map(Number);
}

test("what is left on the list of last resort ends with the program", async () => {
  const program = `
    import { LastResort } from ${JSON.stringify(new URL("../../src/util/kill.ts", import.meta.url).pathname)};
    const child = Bun.spawn(["sleep", "60"], { detached: true });
    const list = new LastResort();
    list.add(child.pid);
    console.log(child.pid);
    process.exit(0);`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program]);
  const pid = Number(stdout.toString());
  expect(pid).toBeGreaterThan(0);
  await gone(pid);
});

test("where no process is known, nobody gets a signal", () => {
  const program = `
    import { isGroupAlive, signalGroup } from ${JSON.stringify(new URL("../../src/util/kill.ts", import.meta.url).pathname)};
    console.log(signalGroup(0, "SIGKILL"), isGroupAlive(0));`;
  const { stdout, exitCode } = Bun.spawnSync([process.execPath, "-e", program], { detached: true });
  expect({ said: stdout.toString(), exitCode }).toEqual({ said: "false false\n", exitCode: 0 });
});

test("an empty list leaves no hook behind", () => {
  const before = process.listenerCount("exit");
  const list = new LastResort();
  list.add(2 ** 30);
  list.add(2 ** 30 + 1);
  expect(process.listenerCount("exit")).toBe(before + 1);
  list.remove(2 ** 30);
  list.remove(2 ** 30 + 1);
  expect(process.listenerCount("exit")).toBe(before);
});
