export type FakePart =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  /** `input` is sent as JSON, or as it is when it is a string. */
  | { type: "call"; name: string; input: unknown; id?: string };
export type FakeAnswer = { parts: FakePart[]; stop?: "length"; usage?: { input: number; output: number } };

/** The frames of a scripted answer as the wire's server would stream them. `count` makes ids differ between answers. */
export function fakeAnswer(turn: FakeAnswer, wire: string, count: number): string[] {
  if (wire === "responses") return responsesFrames(turn, count);
  return wire === "messages" ? messagesFrames(turn, count) : chatFrames(turn, count);
}

const USUAL = { input: 10, output: 5 };

function named(type: string, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}

function argumentsOf(part: Extract<FakePart, { type: "call" }>): string {
  return typeof part.input === "string" ? part.input : JSON.stringify(part.input);
}

function responsesFrames(turn: FakeAnswer, count: number): string[] {
  const usage = turn.usage ?? USUAL;
  const frames = [named("response.created", { response: { id: `resp_${count}`, model: "fake-1" } })];
  for (const [index, part] of turn.parts.entries()) {
    const place = { output_index: index };
    const id = `${count}_${index}`;
    if (part.type === "text") {
      const head = { type: "message", id: `msg_${id}`, role: "assistant" };
      frames.push(named("response.output_item.added", { ...place, item: { ...head, content: [] } }));
      for (const delta of halves(part.text))
        frames.push(named("response.output_text.delta", { ...place, item_id: head.id, delta }));
      const content = [{ type: "output_text", text: part.text }];
      frames.push(named("response.output_item.done", { ...place, item: { ...head, content } }));
    } else if (part.type === "thinking") {
      frames.push(named("response.reasoning_summary_text.delta", { ...place, delta: part.text }));
      const summary = [{ type: "summary_text", text: part.text }];
      const item = { type: "reasoning", id: `rs_${id}`, summary, encrypted_content: `sealed-${id}` };
      frames.push(named("response.output_item.done", { ...place, item }));
    } else {
      const head = {
        type: "function_call",
        id: `fc_${id}`,
        call_id: part.id ?? `call_${id}`,
        name: part.name,
      };
      frames.push(named("response.output_item.added", { ...place, item: { ...head, arguments: "" } }));
      for (const delta of halves(argumentsOf(part)))
        frames.push(named("response.function_call_arguments.delta", { ...place, delta }));
      frames.push(
        named("response.output_item.done", { ...place, item: { ...head, arguments: argumentsOf(part) } }),
      );
    }
  }
  const isCut = turn.stop === "length";
  const response = {
    id: `resp_${count}`,
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  };
  frames.push(named(isCut ? "response.incomplete" : "response.completed", { response }));
  return frames;
}

function chatFrames(turn: FakeAnswer, count: number): string[] {
  const usage = turn.usage ?? USUAL;
  const head = { id: `chatcmpl-${count}`, object: "chat.completion.chunk", model: "fake-1" };
  const frame = (fields: Record<string, unknown>) => `data: ${JSON.stringify({ ...head, ...fields })}\n\n`;
  const delta = (value: Record<string, unknown>, finish: string | null = null) =>
    frame({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
  const frames = [delta({ role: "assistant", content: "" })];
  let calls = 0;
  for (const [position, part] of turn.parts.entries()) {
    if (part.type === "text") frames.push(...halves(part.text).map((content) => delta({ content })));
    else if (part.type === "thinking") frames.push(delta({ reasoning_content: part.text }));
    else {
      const index = calls;
      calls += 1;
      const id = part.id ?? `call_${count}_${position}`;
      frames.push(delta({ tool_calls: [{ index, id, type: "function", function: { name: part.name } }] }));
      for (const piece of halves(argumentsOf(part)))
        frames.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  frames.push(delta({}, turn.stop ?? (calls > 0 ? "tool_calls" : "stop")));
  frames.push(frame({ choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } }));
  frames.push("data: [DONE]\n\n");
  return frames;
}

function messagesFrames(turn: FakeAnswer, count: number): string[] {
  const usage = turn.usage ?? USUAL;
  const message = { id: `msg_${count}`, model: "fake-1", usage: { input_tokens: usage.input } };
  const frames = [named("message_start", { message })];
  for (const [index, part] of turn.parts.entries()) {
    const start = blockStart(part, `toolu_${count}_${index}`);
    frames.push(named("content_block_start", { index, content_block: start }));
    for (const delta of blockDeltas(part)) frames.push(named("content_block_delta", { index, delta }));
    frames.push(named("content_block_stop", { index }));
  }
  const hasCalls = turn.parts.some((part) => part.type === "call");
  const reason = turn.stop === "length" ? "max_tokens" : hasCalls ? "tool_use" : "end_turn";
  frames.push(
    named("message_delta", { delta: { stop_reason: reason }, usage: { output_tokens: usage.output } }),
  );
  frames.push(named("message_stop", {}));
  return frames;
}

function blockStart(part: FakePart, id: string): Record<string, unknown> {
  if (part.type === "text") return { type: "text", text: "" };
  if (part.type === "thinking") return { type: "thinking", thinking: "" };
  return { type: "tool_use", id: part.id ?? id, name: part.name, input: {} };
}

function blockDeltas(part: FakePart): Record<string, unknown>[] {
  if (part.type === "text") return halves(part.text).map((text) => ({ type: "text_delta", text }));
  if (part.type === "thinking")
    return [
      { type: "thinking_delta", thinking: part.text },
      { type: "signature_delta", signature: "signed" },
    ];
  return halves(argumentsOf(part)).map((json) => ({ type: "input_json_delta", partial_json: json }));
}
