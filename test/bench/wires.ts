// CPU time to read one answer of 20,000 text chunks on each wire, without a network: `bun test/bench/wires.ts [rounds]`.
import { readBody } from "../../src/model/answer-body.ts";
import { makeWire, type Protocol } from "../../src/model/converse.ts";
import { IdleWatch } from "../../src/model/idle-watch.ts";
import { CHAT } from "../../src/model/wires/chat.ts";
import { MESSAGES } from "../../src/model/wires/messages.ts";
import { RESPONSES } from "../../src/model/wires/responses.ts";
import { userText } from "../../src/protocol/items.ts";

const CHUNKS = 20_000;
const WORD = "word and ";
const rounds = Number(process.argv[2] ?? 5);

const line = (data: object, event?: string) =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
const repeated = (one: string) => Array.from({ length: CHUNKS }, () => one);
const text = WORD.repeat(CHUNKS);

const chunk = (delta: object, finish: string | null = null) =>
  line({
    id: "c",
    object: "chat.completion.chunk",
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const STREAMS: readonly (readonly [Protocol, readonly string[]])[] = [
  [CHAT, [...repeated(chunk({ content: WORD })), chunk({}, "stop"), "data: [DONE]\n\n"]],
  [
    RESPONSES,
    [
      line({ type: "response.created", response: { id: "r" } }, "response.created"),
      ...repeated(
        line(
          { type: "response.output_text.delta", item_id: "i", output_index: 0, delta: WORD },
          "response.output_text.delta",
        ),
      ),
      line({
        type: "response.output_item.done",
        output_index: 0,
        item: { type: "message", id: "i", role: "assistant", content: [{ type: "output_text", text }] },
      }),
      line({ type: "response.completed", response: { id: "r", status: "completed", output: [] } }),
    ],
  ],
  [
    MESSAGES,
    [
      line({ type: "message_start", message: { id: "m", usage: { input_tokens: 1, output_tokens: 1 } } }),
      line({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      ...repeated(line({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: WORD } })),
      line({ type: "content_block_stop", index: 0 }),
      line({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: CHUNKS } }),
      line({ type: "message_stop" }),
    ],
  ],
];

for (const [protocol, pieces] of STREAMS) {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) samples.push(await measure(protocol, pieces));
  samples.sort((a, b) => a - b);
  const median = samples[Math.floor(rounds / 2)] ?? 0;
  console.log(
    `${protocol.id.padEnd(10)} best ${samples[0]?.toFixed(0)} ms, median ${median.toFixed(0)} ms CPU: ${((median * 1000) / CHUNKS).toFixed(1)} µs a chunk`,
  );
}

async function measure(protocol: Protocol, pieces: readonly string[]): Promise<number> {
  const before = process.cpuUsage();
  const send: Protocol["send"] = async (_call, _endpoint, signal) =>
    readBody(new Response(streamOf(pieces)), "http://here/", new IdleWatch(60_000, 60_000), signal);
  const request = {
    model: "m",
    instructions: "",
    items: [userText("go")],
    tools: [],
    parallelToolCalls: true,
    layout: {},
    extraBody: {},
    extraHeaders: {},
  };
  const endpoint = {
    baseUrl: "http://here/v1",
    headers: {},
    query: {},
    quirks: {},
    idleTimeoutMs: 60_000,
    maxRetries: 0,
  };
  let deltas = 0;
  for await (const event of makeWire({ ...protocol, send }).stream(
    request,
    endpoint,
    new AbortController().signal,
  )) {
    if (event.type === "text") deltas += event.delta.length;
  }
  if (deltas !== text.length) throw new Error(`${protocol.id}: read ${deltas} of ${text.length} characters`);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[at];
      at += 1;
      if (piece === undefined) controller.close();
      else controller.enqueue(encoder.encode(piece));
    },
  });
}
