import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Has the executable answer one prompt and keeps in `file` which functions that took, so that the next build can lay them
 * side by side: a start then touches fewer pages. False when it could not, e.g. in a build for another machine.
 */
export async function recordBytecodeOrder(executable: string, file: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "interpreter-build-"));
  const model = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(ANSWER, AS_STREAM) });
  try {
    await writeFile(join(folder, "config.toml"), settings(model.port));
    const run = Bun.spawn([executable, "exec", "--json", "--skip-git-repo-check", "hello"], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", INTERPRETER_HOME: folder, BUN_BYTECODE_ORDER_OUT: file },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      timeout: 60_000,
    });
    return (await run.exited) === 0;
  } catch {
    return false;
  } finally {
    await model.stop(true);
    await rm(folder, { recursive: true, force: true });
  }
}

function settings(port: number | undefined): string {
  return `model = "recorded"
model_provider = "recorded"
[model_providers.recorded]
name = "Recorded"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "chat"
`;
}

const AS_STREAM = { headers: { "content-type": "text/event-stream" } };
const ANSWER = [
  { choices: [{ index: 0, delta: { role: "assistant", content: "Hello." }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .concat("data: [DONE]\n\n")
  .join("");
