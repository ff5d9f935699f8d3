import { expect, test } from "bun:test";
import { Ollama } from "ollama";
import { startOllamaServer } from "../../support/ollama-server/server.ts";
import { calls, says } from "../../support/ollama-server/types.ts";

// The fake server is only worth something when a client that knows nothing of it is content with it.
test("Ollama's own client can list, show, chat and pull with the fake server", async () => {
  await using server = startOllamaServer({
    models: [{ name: "qwen3", parameters: { num_ctx: 32_768 } }],
    turns: [calls("shell", { cmd: "ls" }), says("all done")],
    registry: ["tiny:1b"],
  });
  const client = new Ollama({ host: server.origin });
  const { models } = await client.list();
  expect(models.map(({ name }) => name)).toEqual(["qwen3:latest"]);
  const shown = await client.show({ model: "QWEN3" });
  expect(shown.parameters).toBe("num_ctx                        32768");
  expect(shown.capabilities).toEqual(["completion", "tools"]);

  const seen: unknown[] = [];
  for (let n = 0; n < 2; n++) {
    const stream = await client.chat({
      model: "qwen3",
      stream: true,
      messages: [{ role: "user", content: "go" }],
    });
    for await (const { message, done_reason } of stream) {
      if (message.tool_calls) seen.push(message.tool_calls[0]?.function);
      else if (message.content !== "") seen.push(message.content);
      if (done_reason) seen.push(done_reason);
    }
  }
  expect(seen).toEqual<unknown[]>([
    { index: 0, name: "shell", arguments: { cmd: "ls" } },
    "stop",
    "all ",
    "done",
    "stop",
  ]);
  expect((await client.ps()).models.map((model) => model.name)).toEqual(["qwen3:latest"]);

  const progress: string[] = [];
  for await (const { status } of await client.pull({ model: "tiny:1b", stream: true })) progress.push(status);
  expect(progress.at(-1)).toBe("success");
  expect((await client.list()).models).toHaveLength(2);
});

test("Ollama's own client reports what the fake server refuses", async () => {
  await using server = startOllamaServer({
    models: [{ name: "gemma3:270m", capabilities: ["completion"] }],
    registry: "offline",
  });
  const client = new Ollama({ host: server.origin });
  const ask = (model: string, extra: object = {}) =>
    client.chat({ model, messages: [{ role: "user", content: "go" }], ...extra }).catch(messageOf);
  expect(await ask("absent:7b")).toBe("model 'absent:7b' not found");
  const tools = [{ type: "function", function: { name: "x", description: "", parameters: {} } }];
  expect(await ask("gemma3:270m", { tools })).toBe(
    "registry.ollama.ai/library/gemma3:270m does not support tools",
  );
  expect(await ask("gemma3:270m", { think: true })).toBe('"gemma3:270m" does not support thinking');
  expect(await client.show({ model: "absent" }).catch(messageOf)).toBe("model 'absent:latest' not found");
  const pulling = async () => {
    for await (const _ of await client.pull({ model: "absent", stream: true }));
  };
  expect(await pulling().catch(messageOf)).toContain("no such host");
});

function messageOf(cause: unknown): unknown {
  return cause instanceof Error ? cause.message : cause;
}
