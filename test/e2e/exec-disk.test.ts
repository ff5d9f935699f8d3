import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentIds, startAgentServer } from "../support/agent-server.ts";
import { completed, exec, useServer } from "../support/exec.ts";
import { checkProtocol } from "../support/exec-protocol.ts";
import { calls, type FakeChoice, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { program } from "../support/run.ts";

setDefaultTimeout(60_000);

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
  // For root nothing is unwritable, but a file is not a folder for anybody.
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

/** Runs the program where no file may grow beyond `kib`, as on a disk that is full for everybody, root included. */
async function runLimited(home: TempHome, kib: number, args: readonly string[]) {
  const child = Bun.spawn(["bash", "-c", `ulimit -f ${kib}; exec "$0" "$@"`, ...program(), ...args], {
    cwd: home.cwd,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, stdout, stderr };
}

const isPosix = process.platform !== "win32";

test.skipIf(!isPosix)("agents work on where neither their record nor their parent's can grow", async () => {
  await using home = await tempHome();
  const waits: FakeChoice = ({ body }) => calls("wait_agent", { targets: agentIds(body) });
  await using server = startAgentServer({
    PARENT: [calls("spawn_agent", { message: "CHILD: go" }), waits, says("done")],
    CHILD: [calls("exec_command", { cmd: "seq 2000" }), says("counted")],
  });
  await useServer(home, server);
  const args = ["exec", "--skip-git-repo-check", ...OPEN, "PARENT: go"];
  const { exitCode, stdout, stderr } = await runLimited(home, 4, args);
  expect([exitCode, stdout]).toEqual([0, "done\n"]);
  const warnings = stderr.match(/the file would be larger than it may be/g);
  expect([warnings?.length, stderr.includes("internal error")]).toEqual([2, false]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("counted");
});

test.skipIf(!isPosix)(
  "settings and harnesses that the disk does not take are an error with its reason",
  async () => {
    await using home = await tempHome();
    const results = await Promise.all(
      [
        ["features", "disable", "unified_exec"],
        ["mcp", "add", "x", "--", "true"],
        ["harness", "new", "mine", "--from", "native"],
      ].map(async (args) => {
        const { exitCode, stderr } = await runLimited(home, 0, args);
        const reason = /^error: .*the file would be larger than it may be/m.test(stderr);
        return { exitCode, reason, isBug: stderr.includes("internal error") };
      }),
    );
    expect(results).toEqual(results.map(() => ({ exitCode: 1, reason: true, isBug: false })));
  },
);
