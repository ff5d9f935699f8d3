import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { bodyOf, exec, listIn, useServer } from "../../support/exec.ts";
import { refuses, says, startFakeServer } from "../../support/fake-server.ts";
import { tempHome } from "../../support/home.ts";

setDefaultTimeout(120_000);

const OWN = "id: mine\nextends: opencode\nsideRequests: { title: { enabled: true } }\n";

test("a harness that wants a title asks for one when the first turn has ended, without tools", async () => {
  await using home = await tempHome();
  await home.write("~/harnesses/mine.yaml", OWN);
  await using server = startFakeServer([says("done"), says('\n"Names of things."\n')]);
  await useServer(home, server, { wire: "chat", more: 'harness = "mine"' });
  const { exitCode } = await exec(home, ["what is this?"]);
  expect(exitCode).toBe(0);
  expect(server.requests).toHaveLength(2);
  const { messages: _, ...fields } = bodyOf(server, 1);
  expect(Object.keys(fields).sort()).toEqual(["max_tokens", "model", "stream", "stream_options"]);
  expect(listIn(bodyOf(server, 1), "messages")).toMatchObject([
    { role: "system" },
    { role: "user", content: "A title for this conversation, please." },
    { role: "user", content: expect.stringContaining("what is") },
  ]);
  const index = await readFile(`${home.path}/session_index.jsonl`, "utf8");
  expect(JSON.parse(index)).toMatchObject({ thread_name: "Names of things." });
});

test("a title that can't be had costs nothing, and the built-in harnesses ask for none", async () => {
  await using home = await tempHome();
  await home.write("~/harnesses/mine.yaml", OWN);
  await using server = startFakeServer([
    says("done"),
    refuses(400, { error: { message: "no" } }),
    says("done"),
  ]);
  await useServer(home, server, { wire: "chat", more: 'harness = "mine"' });
  expect((await exec(home, ["go"])).exitCode).toBe(0);
  expect((await exec(home, ["-c", 'harness="opencode"', "go"])).exitCode).toBe(0);
  expect(server.requests).toHaveLength(3);
});
