import { writeSync } from "node:fs";
import { userText } from "../../src/protocol/items.ts";
import { createSessionStore } from "../../src/sessions/store.ts";
import { appended, factsOf, turnCompleted, turnStarted } from "./support.ts";

// Records numbered messages of changing size until it is ended, and says after each one that it is recorded.
const [home = "", id = ""] = process.argv.slice(2);
const writer = createSessionStore({ home }).create(factsOf({ id }));
for (let n = 0; ; n++) {
  if (n % 50 === 0) writer.listener(turnStarted("go"));
  writer.listener(appended(userText(`${n} ${"x".repeat((n * 7919) % 60_000)}`)));
  if (n % 50 === 49) writer.listener(turnCompleted(""));
  writeSync(1, `${n}\n`);
  // Lets the work of other threads, such as reaching the disk, come in between.
  if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
}
