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
  const begun = {
    id: `resp_${count}`,
    object: "response",
    model: "fake-1",
    status: "in_progress",
    output: [],
  };
  const written = turn.parts.map((part, index) => outputItem(part, index, `${count}_${index}`));
  const isCut = turn.stop === "length";
  const response = {
    ...begun,
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: written.map(({ item }) => item),
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  };
  return [
    named("response.created", { response: begun }),
    ...written.flatMap(({ frames }) => frames),
    named(isCut ? "response.incomplete" : "response.completed", { response }),
  ];
}

type Written = { item: Record<string, unknown>; frames: string[] };

/** One item of the output, and the events that write it. */
function outputItem(part: FakePart, index: number, id: string): Written {
  const { begun, item, deltas } =
    part.type === "text"
      ? textItem(part.text, id)
      : part.type === "thinking"
        ? thoughtItem(part.text, id)
        : callItem(part, id);
  const place = { output_index: index, item_id: item.id };
  const frames = [
    named("response.output_item.added", { output_index: index, item: begun }),
    ...deltas.map(([type, fields]) => named(type, { ...place, ...fields })),
    named("response.output_item.done", { output_index: index, item }),
  ];
  return { item, frames };
}

type Delta = [type: string, fields: Record<string, unknown>];

function textItem(text: string, id: string) {
  const head = { type: "message", id: `msg_${id}`, role: "assistant" };
  const part = { type: "output_text", text, annotations: [] };
  const at = { content_index: 0 };
  const deltas: Delta[] = [
    ["response.content_part.added", { ...at, part: { ...part, text: "" } }],
    ...halves(text).map((delta): Delta => ["response.output_text.delta", { ...at, delta }]),
    ["response.output_text.done", { ...at, text }],
    ["response.content_part.done", { ...at, part }],
  ];
  const begun = { ...head, status: "in_progress", content: [] };
  return { begun, item: { ...head, status: "completed", content: [part] }, deltas };
}

function thoughtItem(text: string, id: string) {
  const head = { type: "reasoning", id: `rs_${id}`, encrypted_content: `sealed-${id}` };
  const part = { type: "summary_text", text };
  const at = { summary_index: 0 };
  const deltas: Delta[] = [
    ["response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }],
    ["response.reasoning_summary_text.delta", { ...at, delta: text }],
    ["response.reasoning_summary_part.done", { ...at, part }],
  ];
  return { begun: { ...head, summary: [] }, item: { ...head, summary: [part] }, deltas };
}

function callItem(part: Extract<FakePart, { type: "call" }>, id: string) {
  const head = {
    type: "function_call",
    id: `fc_${id}`,
    call_id: part.id ?? `call_${id}`,
    name: part.name,
  };
  const text = argumentsOf(part);
  const deltas: Delta[] = [
    ...halves(text).map((delta): Delta => ["response.function_call_arguments.delta", { delta }]),
    ["response.function_call_arguments.done", { arguments: text }],
  ];
  const begun = { ...head, status: "in_progress", arguments: "" };
  return { begun, item: { ...head, status: "completed", arguments: text }, deltas };
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
  const counts = { prompt_tokens: usage.input, completion_tokens: usage.output };
  frames.push(frame({ choices: [], usage: { ...counts, total_tokens: usage.input + usage.output } }));
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
