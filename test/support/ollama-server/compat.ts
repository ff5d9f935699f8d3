type Body = Record<string, unknown>;
type Refusal = { status: number; error: string };

/** A request of the OpenAI interface as the native one it is turned into (openai/openai.go), or its refusal. */
export function nativeRequest(body: Body): { native: Body } | Refusal {
  const messages = listOf(body["messages"]);
  if (messages.length === 0) return { status: 400, error: "[] is too short - 'messages'" };
  const converted: Body[] = [];
  for (const message of messages) {
    const result = nativeMessages(message);
    if ("error" in result) return result;
    converted.push(...result.messages);
  }
  const effort = body["reasoning_effort"];
  return {
    native: {
      model: body["model"],
      messages: converted,
      ...(body["tools"] === undefined ? {} : { tools: body["tools"] }),
      stream: body["stream"] === true,
      ...(effort === undefined ? {} : { think: effort === "none" ? false : effort }),
      // max_completion_tokens is dropped, and there is no way to name a context.
      options: {
        temperature: body["temperature"] ?? 1,
        top_p: body["top_p"] ?? 1,
        ...(body["max_tokens"] === undefined ? {} : { num_predict: body["max_tokens"] }),
      },
    },
  };
}

function nativeMessages(message: Body): { messages: Body[] } | Refusal {
  const { role, content, tool_calls: calls, tool_call_id: id, reasoning } = message;
  const native: Body[] = [];
  for (const call of listOf(calls)) {
    const fn = recordOf(call["function"]);
    const input = parsed(String(fn["arguments"] ?? ""));
    if (input === undefined) return { status: 400, error: "invalid tool call arguments" };
    native.push({ id: call["id"], function: { name: fn["name"], arguments: input } });
  }
  const rest = {
    role,
    ...(typeof reasoning === "string" ? { thinking: reasoning } : {}),
    ...(native.length > 0 ? { tool_calls: native } : {}),
    ...(typeof id === "string" ? { tool_call_id: id } : {}),
  };
  if (typeof content === "string") return { messages: [{ ...rest, content }] };
  if (Array.isArray(content))
    return { messages: listOf(content).map((part) => ({ ...rest, content: String(part["text"] ?? "") })) };
  if (native.length > 0) return { messages: [{ ...rest, content: "" }] };
  return { status: 400, error: "invalid message content type: <nil>" };
}

/** What the lines of the native answer become (middleware/openai.go): an error line is lost, and nothing ends the stream then. */
export function chunkStream(lines: readonly Body[], model: string, wantsUsage: boolean): string {
  const base = { ...head(model), object: "chat.completion.chunk" };
  const frame = (fields: Body) => `data: ${JSON.stringify({ ...base, ...fields })}\n\n`;
  const choice = (delta: Body, finish: string | null) =>
    frame({ choices: [{ index: 0, delta, finish_reason: finish }] });
  let hasCalls = false;
  let text = "";
  for (const line of lines) {
    const message = recordOf(line["message"]);
    const calls = wireCalls(message);
    hasCalls ||= calls.length > 0;
    const content = { role: "assistant", content: String(message["content"] ?? "") };
    if (line["done"] !== true || calls.length > 0)
      text += choice(
        { ...content, ...reasoningOf(message), ...(calls.length > 0 ? { tool_calls: calls } : {}) },
        null,
      );
    if (line["done"] !== true) continue;
    text += choice({ role: "assistant", content: "" }, finishOf(line, hasCalls));
    if (wantsUsage) text += frame({ choices: [], usage: usageOf(line) });
    text += "data: [DONE]\n\n";
  }
  return text;
}

/** The answer to a request that does not stream. */
export function completion(answer: Body, model: string): Body {
  const message = recordOf(answer["message"]);
  const calls = wireCalls(message);
  return {
    ...head(model),
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: message["content"],
          ...reasoningOf(message),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishOf(answer, calls.length > 0),
      },
    ],
    usage: usageOf(answer),
  };
}

/** Errors are objects here, unlike those of the native interface. */
export function compatError({ status, error }: Refusal): Body {
  const types: Readonly<Record<number, string>> = { 400: "invalid_request_error", 404: "not_found_error" };
  return { error: { message: error, type: types[status] ?? "api_error", param: null, code: null } };
}

function head(model: string): Body {
  const id = `chatcmpl-${Math.floor(Math.random() * 999)}`;
  return { id, created: 1_787_306_400, model, system_fingerprint: "fp_ollama" };
}

/** Whole arguments in one piece, as a text. */
function wireCalls({ tool_calls: calls }: Body): Body[] {
  return listOf(calls).map((call, at) => {
    const { index = at, name, arguments: input } = recordOf(call["function"]);
    return {
      id: call["id"] ?? `call_${at}`,
      index,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    };
  });
}

function reasoningOf({ thinking }: Body): Body {
  return thinking === undefined ? {} : { reasoning: thinking };
}

function finishOf({ done_reason: reason }: Body, hasCalls: boolean): string {
  return hasCalls ? "tool_calls" : String(reason ?? "stop");
}

function usageOf({ prompt_eval_count: input = 0, eval_count: output = 0 }: Body): Body {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: Number(input) + Number(output),
  };
}

function listOf(value: unknown): Body[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function recordOf(value: unknown): Body {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
