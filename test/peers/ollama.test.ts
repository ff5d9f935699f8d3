import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { calls } from "../support/ollama-server/types.ts";

// A real program may take a minute to start, and may look for its makers' servers: it is run only when that is asked for.
setDefaultTimeout(300_000);

const path = process.env["PATH"] ?? "";
const isAsked = process.env["INTERPRETER_PEERS"] === "1";
const program = Bun.which("qwen", { PATH: path });
const reason = !isAsked ? "INTERPRETER_PEERS is not 1" : program ? undefined : "qwen is not installed";

// The fake server is only worth something when programs that know nothing of it can work with it.
test.skipIf(reason !== undefined)(
  `qwen-code runs a command and ends its turn against the fake Ollama${reason ? ` (skipped: ${reason})` : ""}`,
  async () => {
    await using home = await tempHome();
    await using server = startOllamaServer({
      models: [{ name: "qwen3:8b", capabilities: ["completion", "tools", "thinking"] }],
      // Its prompt is far longer than the 4096 tokens that are usual on a small machine.
      defaultContext: 65_536,
      turns: [
        calls("run_shell_command", {
          command: "echo hello > out.txt",
          is_background: false,
          description: "x",
        }),
        {
          kind: "answer",
          parts: [
            { type: "thinking", text: "It is there." },
            { type: "text", text: "all done" },
          ],
        },
      ],
    });
    const address = ["--openai-base-url", `${server.origin}/v1`, "--openai-api-key", "ollama"];
    const args = ["--auth-type", "openai", ...address, "-m", "qwen3:8b", "--yolo", "make a file"];
    const child = Bun.spawn([program ?? "", ...args], {
      cwd: home.cwd,
      env: { PATH: path, HOME: home.path },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    expect([exitCode, stdout.trim()]).toEqual([0, "all done"]);
    expect(await readFile(join(home.cwd, "out.txt"), "utf8")).toBe("hello\n");
    expect(server.requests.map(({ method, path: route }) => `${method} ${route}`)).toEqual([
      "POST /v1/chat/completions",
      "POST /v1/chat/completions",
    ]);
  },
);
