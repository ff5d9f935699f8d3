import { expect, setDefaultTimeout, test } from "bun:test";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const QUESTIONS = {
  acp: { protocolVersion: 1, clientCapabilities: {} },
  "mcp-server": {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "pipe", version: "1" },
  },
} as const;

for (const [program, params] of Object.entries(QUESTIONS)) {
  test(`${program} answers a question whose pipe is closed behind it, and ends`, async () => {
    await using home = await tempHome();
    const stdin = `${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "initialize", params })}\n`;
    const { exitCode, stdout } = await run(home, [program], { stdin });
    const lines = stdout.split("\n").filter((line) => line !== "");
    expect([exitCode, lines.length]).toEqual([0, 1]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      id: 7,
      result: { protocolVersion: params.protocolVersion },
    });
  });
}
