import type { Json, Step, Wire } from "./types.ts";

const USAGE = { input: 1000, output: 20 };

/** The server's answer to a request on that wire, in one piece or as a stream. `count` makes ids differ. */
export function answerTo(wire: Wire, step: Step, { body, count }: { body: Json; count: number }): Response {
  const model = String(body["model"] ?? "probe");
  const id = `probe_${count}`;
  const isStream = body["stream"] === true;
  switch (wire) {
    case "messages":
      return isStream
        ? events(messagesFrames(step, id, model))
        : Response.json(wholeMessage(step, id, model));
    case "chat":
      return isStream ? events(chatFrames(step, id, model)) : Response.json(wholeCompletion(step, id, model));
    case "responses": {
      const response = wholeResponse(step, id, model);
      return isStream ? events(responsesFrames(response)) : Response.json(response);
    }
  }
}

function events(frames: readonly string[]): Response {
  return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
}

function named(type: string, fields: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function raw(input: Json | string): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

function wholeMessage(step: Step, id: string, model: string): Json {
  const content =
    "text" in step
      ? [{ type: "text", text: step.text }]
      : [{ type: "tool_use", id: step.call.id, name: step.call.name, input: step.call.input }];
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: "text" in step ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
  };
}

function messagesFrames(step: Step, id: string, model: string): string[] {
  const { stop_reason, ...message } = wholeMessage(step, id, model);
  const block =
    "text" in step
      ? { type: "text", text: "" }
      : { type: "tool_use", id: step.call.id, name: step.call.name, input: {} };
  const delta =
    "text" in step
      ? { type: "text_delta", text: step.text }
      : { type: "input_json_delta", partial_json: raw(step.call.input) };
  return [
    named("message_start", { message: { ...message, content: [], stop_reason: null } }),
    named("content_block_start", { index: 0, content_block: block }),
    named("content_block_delta", { index: 0, delta }),
    named("content_block_stop", { index: 0 }),
    named("message_delta", {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: USAGE.output },
    }),
    named("message_stop", {}),
  ];
}

function chatCall({ id, name, input }: Extract<Step, { call: unknown }>["call"]): Json {
  return { id, type: "function", function: { name, arguments: raw(input) } };
}

const CHAT_USAGE = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
};

function wholeCompletion(step: Step, id: string, model: string): Json {
  const said = "text" in step ? { content: step.text } : { content: null, tool_calls: [chatCall(step.call)] };
  const finish_reason = "text" in step ? "stop" : "tool_calls";
  const choices = [{ index: 0, message: { role: "assistant", ...said }, finish_reason }];
  return { id: `chatcmpl-${id}`, object: "chat.completion", created: 0, model, choices, usage: CHAT_USAGE };
}

function chatFrames(step: Step, id: string, model: string): string[] {
  const frame = (fields: Json) =>
    `data: ${JSON.stringify({ id: `chatcmpl-${id}`, object: "chat.completion.chunk", created: 0, model, ...fields })}\n\n`;
  const delta = (value: Json, finish_reason: string | null = null) =>
    frame({ choices: [{ index: 0, delta: value, finish_reason }] });
  const said =
    "text" in step ? { content: step.text } : { tool_calls: [{ index: 0, ...chatCall(step.call) }] };
  return [
    delta({ role: "assistant", content: "" }),
    delta(said),
    delta({}, "text" in step ? "stop" : "tool_calls"),
    frame({ choices: [], usage: CHAT_USAGE }),
    "data: [DONE]\n\n",
  ];
}

function responseItem(step: Step, id: string): Json {
  if ("text" in step) {
    const content = [{ type: "output_text", text: step.text, annotations: [] }];
    return { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content };
  }
  const { id: call_id, name, input } = step.call;
  return typeof input === "string"
    ? { type: "custom_tool_call", id: `ctc_${id}`, call_id, name, input }
    : { type: "function_call", id: `fc_${id}`, call_id, name, arguments: raw(input), status: "completed" };
}

function wholeResponse(step: Step, id: string, model: string): Json {
  return {
    id: `resp_${id}`,
    object: "response",
    status: "completed",
    model,
    output: [responseItem(step, id)],
    usage: {
      input_tokens: USAGE.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: USAGE.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: USAGE.input + USAGE.output,
    },
  };
}

function responsesFrames(response: Json): string[] {
  const output: unknown[] = Array.isArray(response["output"]) ? response["output"] : [];
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  return [
    named("response.created", { response: begun }),
    ...output.flatMap((item, output_index) => [
      named("response.output_item.added", { output_index, item }),
      named("response.output_item.done", { output_index, item }),
    ]),
    named("response.completed", { response }),
  ];
}
