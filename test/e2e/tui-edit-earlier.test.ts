import { expect, setDefaultTimeout, test } from "bun:test";
import { says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { startTui } from "../support/tui.ts";
import { useModel } from "./fake-model.ts";

setDefaultTimeout(120_000);

test("an earlier message is changed, and the conversation goes on as if the later ones were not said", async () => {
  await using server = startFakeServer(
    ["one", "two", "three", "other two"].map((word) => says(`answer ${word}`)),
  );
  await using home = await tempHome();
  const tables = `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"`;
  await useModel(home, server, { tables });
  await using tui = startTui(home, []);
  await tui.until(/100% left/);
  for (const word of ["one", "two", "three"]) {
    tui.type(`question ${word}\r`);
    await tui.until(`answer ${word}`);
    await tui.until(/^› Ask/m);
  }
  tui.type("\u001b");
  await tui.until("esc again to change an earlier message");
  tui.type("\u001b");
  await tui.until(/● question three\s+│ {2}○ question two\s+│ {2}○ question one/);
  tui.type("2");
  await tui.until("Files are as they are now");
  await tui.until(/› question two\s+fake-1 · native/);
  tui.type(", said better\r");
  await tui.until("answer other two");
  const body = JSON.stringify(server.requests[3]?.body);
  expect(body).toMatch(/question one.*answer one.*question two, said better/);
  expect(body).not.toMatch(/answer two|question three/);
  await tui.until(/^› Ask/m);
  tui.type("/export all.md\r");
  await tui.until("Written to");
  expect(await Bun.file(`${home.cwd}/all.md`).text()).toMatch(
    /question one[\s\S]*answer one[\s\S]*said better/,
  );
  expect(await Bun.file(`${home.cwd}/all.md`).text()).not.toContain("answer three");
  tui.type("\u0004");
  await tui.ended;
  const sessions = [...tui.history.matchAll(/interpreter resume (\S+)/g)].map(([, id]) => id);
  expect(new Set(sessions).size).toBe(2);
});
