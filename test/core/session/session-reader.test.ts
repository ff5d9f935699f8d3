import { expect, setDefaultTimeout, test } from "bun:test";
import { sessionReader } from "../../../src/core/session/session-reader.ts";
import { exec, threadId, useServer } from "../../support/exec.ts";
import { says, startFakeServer } from "../../support/fake-server.ts";
import { tempHome } from "../../support/home.ts";

setDefaultTimeout(120_000);

test("an earlier session is read in its own folder only, and by its whole id only", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("the answer")]);
  await useServer(home, server);
  const { events } = await exec(home, ["the question"]);
  const id = threadId(events);
  const items = await sessionReader(home.path, home.cwd).read(id);
  expect(items?.at(-1)).toMatchObject({ role: "assistant", content: [{ text: "the answer" }] });
  expect(await sessionReader(home.path, "/elsewhere").read(id)).toBeUndefined();
  expect(await sessionReader(home.path, home.cwd).read(id.slice(0, 8))).toBeUndefined();
  expect(await sessionReader(home.path, home.cwd).read(crypto.randomUUID())).toBeUndefined();
});
