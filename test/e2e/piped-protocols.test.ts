import { expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { tempHome } from "../support/home.ts";
import { program, run } from "../support/run.ts";

setDefaultTimeout(120_000);

const posixTest = test.skipIf(process.platform === "win32");

const QUESTIONS = {
  acp: { protocolVersion: 1, clientCapabilities: {} },
  "mcp-server": {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "pipe", version: "1" },
  },
} as const;

for (const [command, params] of Object.entries(QUESTIONS)) {
  test(`${command} answers a question whose pipe is closed behind it, and ends`, async () => {
    await using home = await tempHome();
    const stdin = `${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "initialize", params })}\n`;
    const { exitCode, stdout } = await run(home, [command], { stdin });
    const lines = stdout.split("\n").filter((line) => line !== "");
    expect([exitCode, lines.length]).toEqual([0, 1]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      id: 7,
      result: { protocolVersion: params.protocolVersion },
    });
  });

  posixTest(`${command} ends with its input though nobody reads its answers`, async () => {
    await using home = await tempHome();
    const pipe = join(home.cwd, "answers");
    await Bun.$`mkfifo ${pipe}`.quiet();
    // Open for both, the pipe has a reader that never reads.
    const unread = openSync(pipe, "r+");
    try {
      const stdin = Buffer.from(manyQuestions(params));
      const child = Bun.spawn([...program(), command], {
        cwd: home.cwd,
        env: home.env,
        stdin,
        stdout: unread,
        stderr: "ignore",
      });
      expect(await child.exited).toBe(0);
    } finally {
      closeSync(unread);
    }
  });
}

/** Their answers are more than a pipe holds. */
function manyQuestions(params: object): string {
  const method = "none";
  const questions = Array.from({ length: 3000 }, (_, id) => ({ jsonrpc: "2.0", id: id + 1, method }));
  const all = [{ jsonrpc: "2.0", id: 0, method: "initialize", params }, ...questions];
  return all.map((message) => `${JSON.stringify(message)}\n`).join("");
}
