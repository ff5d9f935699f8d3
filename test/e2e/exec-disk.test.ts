import { expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { completed, exec, useServer } from "../support/exec.ts";
import { checkProtocol } from "../support/exec-protocol.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

const OPEN = ["-s", "danger-full-access"];

function mountSmall(path: string, kib: number): boolean {
  if (process.platform !== "linux") return false;
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs", path]).success;
}

async function mountProblem(): Promise<string | undefined> {
  await using home = await tempHome();
  if (!mountSmall(home.cwd, 64)) return "no small file system can be mounted here";
  Bun.spawnSync(["umount", home.cwd]);
  return undefined;
}

const problem = await mountProblem();
const title = "a full disk is a warning: the run goes on and answers";

(problem === undefined ? test : test.skip)(
  problem === undefined ? title : `${title} (${problem})`,
  async () => {
    await using home = await tempHome();
    await using server = startFakeServer([calls("exec_command", { cmd: "seq 5000" }), says("done")]);
    await useServer(home, server);
    const sessions = join(home.path, "sessions");
    await mkdir(sessions);
    expect(mountSmall(sessions, 32)).toBe(true);
    try {
      await writeFile(join(sessions, "ballast"), "b".repeat(24_000));
      const { exitCode, stdout, events, stderr } = await exec(home, [...OPEN, "go"]);
      checkProtocol(stdout);
      expect({ exitCode, answers: completed(events, "agent_message") }).toEqual({
        exitCode: 0,
        answers: [{ type: "agent_message", text: "done" }],
      });
      const warnings = completed(events, "error").map((item) => String(item["message"]));
      expect(warnings).toEqual([expect.stringMatching(/session record .* no space is left on the disk/)]);
      expect(stderr).toContain("no space is left on the disk");
    } finally {
      Bun.spawnSync(["umount", sessions]);
    }
  },
);

test("a home in which no session can be kept is a warning: the run goes on and answers", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("exec_command", { cmd: "true" }), says("done")]);
  await useServer(home, server);
  // For root nothing is unwritable, but a file is no folder for anybody.
  await home.write("~/sessions", "in the way");
  await home.write("~/programs", "in the way");
  await chmod(home.path, 0o500);
  const { exitCode, stdout, events } = await exec(home, [...OPEN, "go"]);
  await chmod(home.path, 0o700);
  checkProtocol(stdout);
  expect({ exitCode, answers: completed(events, "agent_message") }).toEqual({
    exitCode: 0,
    answers: [{ type: "agent_message", text: "done" }],
  });
  expect(completed(events, "error")).toMatchObject([{ message: expect.stringMatching(/session record/) }]);
});

test("a home that is missing is made when there is something to keep", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  const provider = `{ name = "x", base_url = "${server.baseUrl}" }`;
  const env = { HOME: join(home.cwd, "new"), INTERPRETER_HOME: "" };
  const settings = ["-c", `model_providers.other=${provider}`, "-c", "model_provider=other", "-m", "m"];
  const { exitCode } = await exec(home, [...settings, "go"], { env });
  const folder = join(home.cwd, "new", ".openinterpreter", "sessions");
  expect({
    exitCode,
    kept: await Bun.file(folder)
      .stat()
      .then((found) => found.isDirectory()),
  }).toEqual({
    exitCode: 0,
    kept: true,
  });
});

test("INTERPRETER_HOME has to exist", async () => {
  await using home = await tempHome();
  const { exitCode, stderr } = await exec(home, ["go"], { env: { INTERPRETER_HOME: "/no/such/folder" } });
  expect({ exitCode, names: stderr.includes("/no/such/folder") }).toEqual({ exitCode: 1, names: true });
});
