import { expect, test } from "bun:test";
import { existsSync, fstatSync } from "node:fs";
import { chmod, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { resolvePolicy } from "../../src/safety/modes.ts";
import { pickSandbox } from "../../src/sandbox/pick-sandbox.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import { CLOSED, confined, confinedTest, sandboxOf } from "./confined.ts";
import { type TempFolder, tempFolder } from "./temp-folder.ts";

confinedTest("a command writes in the workspace and nowhere else", async () => {
  await using temp = await tempFolder();
  const { run, ws } = await workspace(temp);
  const outside = await temp.file("outside.txt", "original\n");
  const { output } = await run(`
    echo new > inside.txt && echo written
    echo bad > ${outside} || cat ${outside}
    ln -s ${outside} link && echo bad > link || echo refused`);
  expect(output.split("\n").filter((line) => !line.includes("Read-only file system"))).toEqual([
    "written",
    "original",
    "refused",
    "",
  ]);
  expect(await readFile(outside, "utf8")).toBe("original\n");
  expect(await readFile(join(ws, "inside.txt"), "utf8")).toBe("new\n");
});

confinedTest("protected names can't be changed or made, and nothing of the protection is left", async () => {
  await using temp = await tempFolder();
  const { run, ws } = await workspace(temp);
  await temp.file("ws/.git/config", "[core]\n");
  const { output } = await run(`
    echo x >> .git/config || echo kept
    mkdir .codex/skills || echo empty
    mkdir stage && mv -T stage .codex || echo in the way
    rmdir .codex || echo stays`);
  expect(output.split("\n").filter((line) => !line.includes(": "))).toEqual([
    "kept",
    "empty",
    "in the way",
    "stays",
    "",
  ]);
  expect((await readdir(ws)).sort()).toEqual([".git", "stage"]);
  expect(await readdir(join(temp.path, "state", "sandbox"))).toEqual([]);
});

confinedTest("a command can't read the keys in our own folder, whatever mode it runs in", async () => {
  await using temp = await tempFolder();
  const stateDir = await temp.folder("state");
  await temp.file("state/.env", "KEY=secret\n");
  await temp.file("state/mcp-tokens.json", '{"token":"secret"}\n');
  await temp.file("state/config.toml", "model = 'plain'\n");
  const cwd = await temp.folder("ws");
  const sandbox = await sandboxOf(stateDir);
  for (const mode of ["read-only", "workspace-write"] as const) {
    const policy = resolvePolicy({ mode, cwd, stateDir, tmpdir: temp.path });
    const { output } = await confined(
      sandbox,
      policy,
      cwd,
      `cd ${stateDir}; cat config.toml .env mcp-tokens.json`,
    );
    expect(output.split("\n")).toEqual([
      "model = 'plain'",
      expect.stringContaining(".env: "),
      expect.stringContaining("mcp-tokens.json: "),
      "",
    ]);
  }
});

confinedTest("the host's servers are out of reach, a server of its own is not", async () => {
  await using temp = await tempFolder();
  const { run } = await workspace(temp);
  const reached: string[] = [];
  const socket = { open: () => void reached.push("tcp"), data: () => {} };
  using server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
  const path = join(temp.path, "server.sock");
  const onUnix = { open: () => void reached.push("unix"), data: () => {} };
  using unix = Bun.listen({ unix: path, socket: onUnix });
  const connect = (to: string) => `
    const opened = { open: () => { console.log("BREACH"); process.exit() }, data() {} };
    Bun.connect({ ${to}, socket: opened }).catch(() => console.log("refused"));`;
  const own = `
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("own answer") });
    console.log(await (await fetch(server.url)).text()); process.exit();`;
  const scripts = [connect(`hostname: "127.0.0.1", port: ${server.port}`), connect(`unix: "${path}"`), own];
  for (const [index, script] of scripts.entries()) await temp.file(`ws/${index}.ts`, script);
  const { output } = await run(scripts.map((_, index) => `${process.execPath} ${index}.ts`).join("\n"));
  expect(output).toBe("refused\nrefused\nown answer\n");
  expect(reached).toEqual([]);
  expect(unix.unix).toBe(path);
});

confinedTest(
  "a command sees neither other processes nor their memory, and has no special rights",
  async () => {
    await using temp = await tempFolder();
    const { run } = await workspace(temp);
    const { output } = await run(`
    test -e /proc/${process.pid}/stat && test $(cat /proc/${process.pid}/comm) = $(cat /proc/1/comm) || echo unseen
    grep -E '^(NoNewPrivs|CapEff|CapBnd|Seccomp):' /proc/self/status
    echo x > /proc/sys/kernel/core_pattern || echo kept
    unshare -Ur true || echo no namespaces`);
    expect(output.split("\n").filter((line) => !line.includes(": "))).toEqual([
      "unseen",
      "CapEff:\t0000000000000000",
      "CapBnd:\t0000000000000000",
      "NoNewPrivs:\t1",
      "Seccomp:\t2",
      "kept",
      "no namespaces",
      "",
    ]);
  },
);

confinedTest("denied files and folders can't be read, also after they were moved", async () => {
  await using temp = await tempFolder();
  const { run } = await workspace(temp, { deny: ["ws/conf/keys", "ws/**/*.env", "home"] });
  await temp.file("ws/conf/keys/id", "SECRET");
  await temp.file("ws/app/prod.env", "SECRET");
  await temp.file("home/.ssh/id", "SECRET");
  await temp.file("ws/app/readme", "readable\n");
  const first = await run(`
    cat conf/keys/id app/prod.env ../home/.ssh/id app/readme
    mv conf conf2
    mv app app2`);
  const second = await run("cat conf2/keys/id conf/keys/id app2/prod.env; ls");
  expect(first.output + second.output).not.toContain("SECRET");
  expect(first.output).toContain("readable");
  expect(second.output.endsWith("app2\nconf\n")).toBe(true);
});

confinedTest(
  "a workspace below a writable temporary folder can't be moved out of its protection",
  async () => {
    await using temp = await tempFolder();
    const git = await temp.folder("tmp/a/ws/.git");
    const policy = {
      ...CLOSED,
      write: [join(temp.path, "tmp/a/ws"), join(temp.path, "tmp")],
      protect: [git],
    };
    const sandbox = await sandboxOf(join(temp.path, "state"));
    const { exitCode } = await confined(sandbox, policy, join(temp.path, "tmp/a/ws"), "mv ../../a ../../b");
    expect(exitCode).toBe(1);
    expect(existsSync(git)).toBe(true);
  },
);

confinedTest("a restricted view shows only what it names", async () => {
  await using temp = await tempFolder();
  const secret = await temp.file("secret");
  const { run } = await workspace(temp, { read: ["/bin", "/lib", "/lib64", "/usr"] });
  const { output } = await run(
    `test -e ${secret} || echo hidden; echo x > file && cat file; mkdir /new || echo closed`,
  );
  expect(output.split("\n").filter((line) => !line.includes(": "))).toEqual(["hidden", "x", "closed", ""]);
});

confinedTest("exit codes come through, a signal's as 128 and its number", async () => {
  await using temp = await tempFolder();
  const { run } = await workspace(temp);
  expect((await run("exit 7")).exitCode).toBe(7);
  expect((await run("kill -SEGV $$")).exitCode).toBe(139);
});

confinedTest("what a command leaves running ends with it", async () => {
  await using temp = await tempFolder();
  const { run, ws } = await workspace(temp);
  const marker = join(ws, "still-running");
  await run(`mkfifo never; (setsid sh -c 'read line < never; : ${marker}' &) ; exit 0`);
  const processes = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  expect(processes.filter((line) => line.includes(marker))).toEqual([]);
});

confinedTest("a command with a terminal has job control", async () => {
  await using temp = await tempFolder();
  const shown = await inTerminal(temp, ["/bin/bash", "--norc", "-ic", "stty size; set -o | grep monitor"]);
  expect(shown.slice(0, 2)).toEqual(["24 80", "monitor        \ton"]);
});

confinedTest("an interrupt typed into the terminal reaches the command and lets it go on", async () => {
  await using temp = await tempFolder();
  const script = "trap 'echo caught; exit 5' INT; sleep 1000 & echo ready; wait";
  const shown = await inTerminal(temp, ["/bin/sh", "-c", script], { whenSeen: "ready", type: "\x03" });
  expect(shown.map((line) => line.replace("^C", ""))).toEqual(["ready", "caught", "exit 5", ""]);
});

confinedTest("a descriptor for the rules is open until the command is released", async () => {
  await using temp = await tempFolder();
  const { sandbox, policy, ws } = await workspace(temp);
  const spec = await sandbox.wrap({ argv: ["true"], cwd: ws, env: {} }, policy, { tty: false });
  expect(spec.fds.map((fd) => fstatSync(fd).nlink)).toEqual([0]);
  spec.release();
  expect(() => spec.fds.map((fd) => fstatSync(fd))).toThrow("EBADF");
});

confinedTest("a bwrap in the workspace is not used", async () => {
  await using temp = await tempFolder();
  const planted = await temp.file("ws/bin/bwrap", "#!/bin/sh\necho planted\n");
  await chmod(planted, 0o755);
  const { policy, ws } = await workspace(temp);
  const sandbox = await sandboxOf(join(temp.path, "state"), `${join(ws, "bin")}:${process.env["PATH"]}`);
  expect((await confined(sandbox, policy, ws, "echo real")).output).toBe("real\n");
  const readOnly = { ...policy, write: [], protect: [] };
  expect((await confined(sandbox, readOnly, ws, "echo real")).output).toBe("real\n");
});

confinedTest("variables that make programs load code reach the command and not bwrap", async () => {
  await using temp = await tempFolder();
  const { sandbox, policy, ws } = await workspace(temp);
  const env = { PATH: "/usr/bin:/bin", LD_LIBRARY_PATH: join(ws, "lib") };
  const command = { argv: ["printenv", "LD_LIBRARY_PATH"], cwd: ws, env };
  const spec = await sandbox.wrap(command, policy, { tty: false });
  const child = Bun.spawn(spec.argv, { env: spec.env, stdio: ["ignore", "pipe", "inherit", ...spec.fds] });
  const output = await new Response(child.stdout).text();
  spec.release();
  expect({ output, outside: spec.env }).toEqual({ output: `${ws}/lib\n`, outside: { PATH: env.PATH } });
});

test("without a sandbox's program nothing runs, and the message says what to install", async () => {
  await using temp = await tempFolder();
  const broken = await temp.file(
    "bin/bwrap",
    "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
  );
  await chmod(broken, 0o755);
  const sandbox = await pickSandbox({
    platform: "linux",
    processor: process.arch,
    stateDir: join(temp.path, "state"),
    path: join(temp.path, "bin"),
  });
  const cwd = await temp.folder("ws");
  const wrapped = sandbox.wrap({ argv: ["true"], cwd, env: {} }, CLOSED, { tty: false });
  expect(toErrorInfo(await wrapped.catch((cause) => cause))).toEqual({
    code: "sandbox.unavailable",
    message: expect.stringContaining(
      "the sandbox can't start: bwrap: No permissions to create new namespace",
    ),
    retryable: false,
    hint: expect.stringContaining("or run with --sandbox danger-full-access if you trust what will be run"),
  });
  const available = await sandbox.available();
  expect(available.ok ? "" : available.reason).toContain("No permissions to create new namespace");
});

test("policies without a sandbox of ours leave the command as it is", async () => {
  const command = { argv: ["true"], cwd: "/", env: { A: "b" } };
  for (const platform of ["linux", "darwin"]) {
    const sandbox = await pickSandbox({ platform, processor: "x64", stateDir: "/nowhere", path: "" });
    for (const policy of [{ mode: "off" }, { mode: "external", network: false }] as const) {
      const { release, ...spec } = await sandbox.wrap(command, policy, { tty: false });
      expect(spec).toEqual({ ...command, fds: [] });
      release();
    }
  }
});

test("a system without a sandbox says so and refuses what needs one", async () => {
  const sandbox = await pickSandbox({
    platform: "darwin",
    processor: "arm64",
    stateDir: "/nowhere",
    path: "",
  });
  expect(await sandbox.available()).toEqual({
    ok: false,
    reason: expect.stringContaining("the sandbox is not built for darwin yet"),
  });
  await expect(sandbox.wrap({ argv: ["true"], cwd: "/", env: {} }, CLOSED, { tty: false })).rejects.toThrow(
    "the sandbox is not built for darwin yet",
  );
});

/** What a command shows on a terminal of its own, as lines; at the end its exit code. */
async function inTerminal(temp: TempFolder, argv: string[], answer?: { whenSeen: string; type: string }) {
  const { sandbox, policy, ws } = await workspace(temp);
  const env = { PATH: "/usr/bin:/bin", TERM: "dumb" };
  const spec = await sandbox.wrap({ argv, cwd: ws, env }, policy, { tty: true });
  const decoder = new TextDecoder();
  let shown = "";
  let answered = false;
  const closed = Promise.withResolvers<void>();
  const child = Bun.spawn(spec.argv, {
    cwd: ws,
    env: spec.env,
    stdio: ["ignore", "ignore", "ignore", ...spec.fds],
    terminal: {
      cols: 80,
      rows: 24,
      data(terminal, bytes) {
        shown += decoder.decode(bytes, { stream: true });
        if (answered || answer === undefined || !shown.includes(answer.whenSeen)) return;
        answered = true;
        terminal.write(answer.type);
      },
      exit: () => closed.resolve(),
    },
  });
  const [exitCode] = await Promise.all([child.exited, closed.promise]);
  spec.release();
  return `${shown}exit ${exitCode}\n`.replaceAll("\r", "").split("\n");
}

type Rules = { deny?: string[]; read?: string[] };

/** A workspace `ws` with the names .git and .codex protected; `deny` is relative to the temporary folder. */
async function workspace(temp: TempFolder, { deny = [], read }: Rules = {}) {
  const ws = await temp.folder("ws");
  const sandbox = await sandboxOf(join(temp.path, "state"));
  const policy = {
    ...CLOSED,
    ...(read === undefined ? {} : { read }),
    write: [ws],
    protect: [join(ws, ".git"), join(ws, ".codex")],
    deny: deny.map((name) => join(temp.path, name)),
  };
  return { ws, sandbox, policy, run: (script: string) => confined(sandbox, policy, ws, script) };
}
