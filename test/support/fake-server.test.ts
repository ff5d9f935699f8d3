// The scripted server is what our wires are tested against, so a reader that is not ours has to understand it as well.
import { expect, test } from "bun:test";
import OpenAI from "openai";
import { calls, type FakeServer, refuses, says, startFakeServer } from "./fake-server.ts";

function clientOf(server: FakeServer): OpenAI {
  return new OpenAI({ apiKey: "k", baseURL: server.baseUrl, maxRetries: 0, logLevel: "off" });
}

const ARGUMENTS = { cmd: "ls -la", workdir: "/w" };

test("OpenAI's own client reads the answers of the chat wire: text, a call with its arguments, and usage", async () => {
  await using server = startFakeServer([says("all done"), calls("exec_command", ARGUMENTS, "call_1")]);
  const ask = async () => {
    const stream = clientOf(server).chat.completions.stream({
      model: "m",
      messages: [{ role: "user", content: "go" }],
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    const [choice] = choices;
    const made = choice?.message.tool_calls?.map((call) =>
      call.type === "function" ? [call.id, call.function.name, JSON.parse(call.function.arguments)] : [call],
    );
    return {
      text: choice?.message.content,
      calls: made,
      finish: choice?.finish_reason,
      tokens: usage?.total_tokens,
    };
  };
  expect(await ask()).toEqual({ text: "all done", calls: undefined, finish: "stop", tokens: 15 });
  expect(await ask()).toEqual({
    text: "",
    calls: [["call_1", "exec_command", ARGUMENTS]],
    finish: "tool_calls",
    tokens: 15,
  });
});

test("OpenAI's own client reads the answers of the responses wire", async () => {
  await using server = startFakeServer([says("all done"), calls("exec_command", ARGUMENTS, "call_1")]);
  const ask = async () => {
    const stream = clientOf(server).responses.stream({ model: "m", input: "go" });
    const { status, output, output_text: text } = await stream.finalResponse();
    const made = output.flatMap((item) =>
      item.type === "function_call" ? [[item.call_id, item.name, JSON.parse(item.arguments)]] : [],
    );
    return { status, text, calls: made };
  };
  expect(await ask()).toEqual({ status: "completed", text: "all done", calls: [] });
  expect(await ask()).toEqual({
    status: "completed",
    text: "",
    calls: [["call_1", "exec_command", ARGUMENTS]],
  });
});

test("OpenAI's own client reads a refusal", async () => {
  await using server = startFakeServer([
    refuses(401, { error: { message: "no such key", code: "invalid_api_key" } }),
  ]);
  const ask = async () => await clientOf(server).responses.create({ model: "m", input: "go" });
  await expect(ask()).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
});
