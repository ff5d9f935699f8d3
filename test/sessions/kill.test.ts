import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { textOf } from "../../src/protocol/items.ts";
import { createSessionStore } from "../../src/sessions/store.ts";
import { uuidV7 } from "../../src/util/ids.ts";
import { randomFrom } from "./random.ts";
import { tempHome } from "./support.ts";

const SCRIPT = fileURLToPath(import.meta.resolve("./write-forever.ts"));
const KILLS = 24;

/** Runs a recording process, ends it hard after some messages, and tells the last message that it said was recorded. */
async function killAfter(home: string, id: string, messages: number): Promise<number> {
  const child = Bun.spawn([process.execPath, SCRIPT, home, id], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    if (said.split("\n").length > messages) child.kill("SIGKILL");
  }
  await child.exited;
  return Number(said.slice(0, said.lastIndexOf("\n")).split("\n").at(-1));
}

test("a process that is killed while it records loses nothing that was recorded before", async () => {
  using home = tempHome();
  const random = randomFrom(1);
  const store = createSessionStore({ home: home.path });
  for (let n = 0; n < KILLS; n++) {
    const id = uuidV7();
    const last = await killAfter(home.path, id, 1 + random(120));
    const { history, damage, writer } = await store.open(id);
    const numbers = history.flatMap((item) =>
      item.type === "message" ? [Number.parseInt(textOf(item.content), 10)] : [],
    );
    expect(numbers.length).toBeGreaterThan(last);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(damage.lines).toBeLessThanOrEqual(1);
    await writer[Symbol.asyncDispose]();
  }
}, 600_000);
