import { expect, test } from "bun:test";
import OpenAI from "openai";
import { startOllamaServer } from "../../support/ollama-server/server.ts";
import { type ChatTurn, calls, says } from "../../support/ollama-server/types.ts";

const QUESTION = { role: "user", content: "go" } as const;

function clientOf(origin: string): OpenAI {
  return new OpenAI({ baseURL: `${origin}/v1`, apiKey: "ollama", maxRetries: 0 });
}

/** What a client that knows nothing of the fake server reads from one streamed answer of its other interface. */
async function streamed(turn: ChatTurn) {
  await using server = startOllamaServer({
    models: [{ name: "qwen3", capabilities: ["completion", "tools", "thinking"] }],
    turns: [turn],
  });
  const stream = await clientOf(server.origin).chat.completions.create({
    model: "qwen3",
    messages: [QUESTION],
    stream: true,
    stream_options: { include_usage: true },
  });
  const seen = { text: "", thinking: "", calls: [] as unknown[], finish: null as string | null, tokens: 0 };
  for await (const { choices, usage } of stream) {
    const [choice] = choices;
    seen.text += choice?.delta.content ?? "";
    if (choice && "reasoning" in choice.delta) seen.thinking += String(choice.delta.reasoning);
    for (const call of choice?.delta.tool_calls ?? []) seen.calls.push([call.index, call.function]);
    seen.finish = choice?.finish_reason ?? seen.finish;
    seen.tokens = usage?.completion_tokens ?? seen.tokens;
  }
  return seen;
}

test("OpenAI's own client reads text, thoughts and whole calls from the fake server's other interface", async () => {
  const parts = [
    { type: "thinking", text: "hm" },
    { type: "text", text: "all done" },
  ] as const;
  expect(await streamed({ kind: "answer", parts })).toEqual({
    text: "all done",
    thinking: "hm",
    calls: [],
    finish: "stop",
    tokens: 20,
  });
  expect(await streamed(calls("shell", { cmd: "ls" }))).toMatchObject({
    calls: [[0, { name: "shell", arguments: '{"cmd":"ls"}' }]],
    finish: "tool_calls",
  });
});

test("an error inside a stream is lost there: the answer just ends", async () => {
  const turn: ChatTurn = {
    kind: "answer",
    parts: [{ type: "text", text: "half" }],
    end: { error: "an error was encountered while running the model: CUDA error" },
  };
  expect(await streamed(turn)).toMatchObject({ text: "half", finish: null });
});

test("refusals are objects there", async () => {
  await using server = startOllamaServer({ models: [{ name: "qwen3" }], turns: [says("all done")] });
  const { completions } = clientOf(server.origin).chat;
  const missing = await completions.create({ model: "absent", messages: [QUESTION] }).catch(shapeOf);
  expect(missing).toEqual({
    status: 404,
    error: { message: "model 'absent' not found", type: "not_found_error", param: null, code: null },
  });
  const answer = await completions.create({ model: "qwen3", messages: [QUESTION] });
  expect(answer.choices[0]?.message.content).toBe("all done");
});

function shapeOf(cause: unknown): unknown {
  return cause instanceof OpenAI.APIError ? { status: cause.status, error: cause.error } : cause;
}
