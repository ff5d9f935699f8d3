import { expect, setDefaultTimeout, test } from "bun:test";
import { tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { run } from "../support/run.ts";
import { startTui } from "../support/tui.ts";

// Each test starts the program, some of them twice, on a machine that may be busy.
setDefaultTimeout(120_000);

test("a download is told in plain lines where nobody watches, and not begun for what is there", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }], registry: ["tiny:1b"] });
  const env = { OLLAMA_HOST: server.host };
  const { exitCode, stdout } = await run(home, ["pull", "tiny:1b"], { env });
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "pulling manifest",
    "pulling 000000000000: 0% (0 B of 1.0 kB)",
    "pulling 000000000000: 50% (500 B of 1.0 kB)",
    "pulling 000000000000: 100% (1.0 kB of 1.0 kB)",
    "pulling 111111111111: 0% (1.0 kB of 1.3 kB)",
    "pulling 111111111111: 50% (1.1 kB of 1.3 kB)",
    "pulling 111111111111: 100% (1.3 kB of 1.3 kB)",
    "verifying sha256 digest",
    "writing manifest",
    "success",
    "",
  ]);
  const again = await run(home, ["pull", "QWEN3:8b"], { env });
  expect(again.stdout).toBe("QWEN3:8b is installed already; --update looks for a newer one\n");
});

test("an air-gapped machine does not even try to download", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "air_gapped = true\n");
  await using server = startOllamaServer({ models: [], registry: ["tiny:1b"] });
  const { exitCode, stderr } = await run(home, ["pull", "tiny:1b"], { env: { OLLAMA_HOST: server.host } });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("air_gapped = true forbids a download: tiny:1b");
  expect(stderr).toContain("ollama create tiny:1b");
  expect(server.requests.some(({ path }) => path === "/api/pull")).toBe(false);
});

const BROKEN = "the connection broke; going on where it was";

test("a connection that breaks is taken up again, and said to be", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [], registry: ["tiny:1b"], tearAfter: [999] });
  const { exitCode, stdout } = await run(home, ["pull", "tiny:1b"], { env: { OLLAMA_HOST: server.host } });
  expect(exitCode).toBe(0);
  // What stands before the break may be lost with the connection.
  expect(stdout.split("\n").slice(stdout.split("\n").indexOf(BROKEN))).toEqual([
    BROKEN,
    "pulling manifest",
    expect.stringMatching(/^pulling 000000000000: 100% \(1\.0 kB of 1\.0 kB/),
    expect.stringMatching(/^pulling 111111111111: 0% /),
    expect.stringMatching(/^pulling 111111111111: 50% /),
    expect.stringMatching(/^pulling 111111111111: 100% \(1\.3 kB of 1\.3 kB/),
    "verifying sha256 digest",
    "writing manifest",
    "success",
    "",
  ]);
});

test("Ctrl-C stops a download in the server, too, and the next one goes on from there", async () => {
  await using home = await tempHome();
  const halfway = Promise.withResolvers<void>();
  await using server = startOllamaServer({
    models: [],
    registry: ["tiny:1b"],
    onLayerLine: async () => {
      if (server.arrived("tiny:1b") === 500 && !isStopped) await halfway.promise;
    },
  });
  let isStopped = false;
  const env = { OLLAMA_HOST: server.host };
  const stopped = await run(home, ["pull", "tiny:1b"], {
    env,
    onLine: (line, kill) => {
      if (line.includes("50%")) kill("SIGINT");
    },
  });
  expect([stopped.exitCode, stopped.stderr, server.arrived("tiny:1b")]).toEqual([
    130,
    "stopped; what was downloaded is kept, and the same command resumes it\n",
    500,
  ]);
  await server.leftPull;
  isStopped = true;
  halfway.resolve();
  const again = await run(home, ["pull", "tiny:1b"], { env });
  expect([again.exitCode, again.stdout.split("\n")[1]]).toEqual([
    0,
    "pulling 000000000000: 50% (500 B of 1.0 kB)",
  ]);
});

test("in a terminal a bar shows how much has come, and Ctrl-C stops it there as well", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [],
    registry: ["tiny:1b"],
    onLayerLine: async () => {
      if (server.arrived("tiny:1b") === 500) await server.leftPull;
    },
  });
  await using terminal = startTui(home, ["pull", "tiny:1b"], { env: { OLLAMA_HOST: server.host } });
  await terminal.until("500 B of 1.0 kB");
  terminal.type("\u0003");
  expect((await terminal.ended).exitCode).toBe(130);
  await server.leftPull;
  expect(server.arrived("tiny:1b")).toBe(500);
});
