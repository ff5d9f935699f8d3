import { expect, setDefaultTimeout, test } from "bun:test";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { bodyOf, completed, exec, promptOf, useServer } from "../support/exec.ts";
import { says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";

setDefaultTimeout(60_000);

const posixTest = test.skipIf(process.platform === "win32");

async function pipeAt(home: TempHome, name: string): Promise<string> {
  const path = await home.write(name, "");
  Bun.spawnSync(["sh", "-c", 'rm "$1"; mkfifo "$1"', "sh", path]);
  return path;
}

posixTest("a folder in which .git is a pipe is a folder like any other", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  // Only where there is something to compare it with is the checkout of a folder looked for.
  await useServer(home, server, { more: '[projects."/elsewhere"]\ntrust_level = "trusted"\n' });
  await pipeAt(home, ".git");
  const { exitCode } = await exec(home, ["go"]);
  expect([exitCode, server.requests.length]).toEqual([0, 1]);
});

posixTest("a .env file of one's home that is a pipe is left alone", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server);
  await pipeAt(home, "~/.env");
  expect((await exec(home, ["go"])).exitCode).toBe(0);
});

posixTest("a file of settings that is a pipe or far too large is an error that says so", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([]);
  const wrong = [
    ["model_instructions_file", await pipeAt(home, "pipe.md"), "it is not an ordinary file"],
    ["experimental_compact_prompt_file", home.cwd, "it is a folder"],
    ["model_instructions_file", await home.write("large.md", "x".repeat(2 ** 20 + 1)), "larger than 1 MiB"],
  ] as const;
  await useServer(home, server);
  for (const [key, path, reason] of wrong) {
    const { exitCode, stdout, stderr } = await exec(home, ["-c", `${key}=${path}`, "go"]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`${key}: wanted a readable text file, found ${path}: `);
    expect(stderr).toContain(reason);
  }
});

posixTest("a harness that is a pipe is an error that says so", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([]);
  await useServer(home, server);
  const path = await pipeAt(home, "~/harnesses/odd.yaml");
  const { exitCode, stderr } = await exec(home, ["--harness", "odd", "go"]);
  expect([exitCode, stderr.includes(`${path} could not be read: it is not an ordinary file`)]).toEqual([
    1,
    true,
  ]);
});

posixTest("a schema may come through a pipe, but not without an end", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("{}")]);
  await useServer(home, server);
  const endless = await exec(home, ["--output-schema", "/dev/zero", "go"]);
  expect([endless.exitCode, endless.stderr]).toEqual([
    1,
    expect.stringContaining("output schema file /dev/zero: it is larger than 4 MiB"),
  ]);
  const schema = await exec(home, ["--output-schema", "/dev/stdin", "--", "go"], {
    stdin: '{"type":"object"}',
  });
  expect(schema.exitCode).toBe(0);
  expect(bodyOf(server, 0)["text"]).toMatchObject({ format: { schema: { type: "object" } } });
});

posixTest("an attached picture without an end becomes a note, like any that can't be read", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server);
  const large = await home.write("large.png", "");
  await truncate(join(home.cwd, "large.png"), 64 * 2 ** 20 + 1);
  const { exitCode, events } = await exec(home, ["-i", large, "/dev/zero", "--", "go"]);
  const notes = [large, "/dev/zero"].map(
    (path) => `The image ${path} could not be read: it is larger than 64 MiB`,
  );
  expect(exitCode).toBe(0);
  expect(promptOf(bodyOf(server, 0))).toBe(`${notes.join("")}go`);
  expect(completed(events, "error")).toEqual(notes.map((message) => ({ type: "error", message })));
});
