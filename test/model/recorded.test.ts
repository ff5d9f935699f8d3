import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBody } from "../../src/model/answer-body.ts";
import { makeWire, type Protocol } from "../../src/model/converse.ts";
import { IdleWatch } from "../../src/model/idle-watch.ts";
import type { ModelEvent, Wire } from "../../src/model/types.ts";
import { loadWire } from "../../src/model/wire.ts";
import { CHAT } from "../../src/model/wires/chat.ts";
import { MESSAGES } from "../../src/model/wires/messages.ts";
import { RESPONSES } from "../../src/model/wires/responses.ts";
import type { WireApi } from "../../src/protocol/items.ts";
import { toAppError } from "../../src/util/errors.ts";
import { sends, startFakeServer } from "../support/fake-server.ts";
import { ask, endpoint, request } from "./ask.ts";

const FOLDER = join(import.meta.dir, "../fixtures/wire");
const NAMES = readdirSync(FOLDER).flatMap((file) => (file.endsWith(".sse") ? [file.slice(0, -4)] : []));
const ENDINGS = ["finished", "model.stream_cut", "model.empty", "model.rejected"];
const RECUTS = 1_000;
const FLIPS = 500;

const what = request({
  tools: [{ kind: "function", name: "run", description: "", parameters: { type: "object" } }],
});

function wireOf(name: string): Promise<Wire> {
  const ids: readonly WireApi[] = ["responses", "chat", "messages"];
  return loadWire(ids.find((id) => name.startsWith(id)) ?? "chat");
}

function bytesOf(name: string): Promise<Uint8Array> {
  return Bun.file(join(FOLDER, `${name}.sse`)).bytes();
}

/** Numbers from 0 to below `limit`, the same in each run. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

async function play(name: string, pieces: readonly Uint8Array[]): Promise<ModelEvent[]> {
  await using server = startFakeServer([sends(pieces)]);
  return await ask(await wireOf(name), endpoint(server.baseUrl), what);
}

/** The same without a network, so that thousands of ways to cut a stream cost little. */
function playHere(name: string, pieces: readonly Uint8Array[]): Promise<ModelEvent[]> {
  const protocol = [RESPONSES, CHAT, MESSAGES].find(({ id }) => name.startsWith(id)) ?? CHAT;
  const send: Protocol["send"] = async (_call, _endpoint, signal) => {
    const response = new Response(streamOf(pieces));
    return readBody(response, "http://here/", new IdleWatch(60_000, 60_000), signal);
  };
  return ask(makeWire({ ...protocol, send }), endpoint("http://here/v1"), what);
}

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

/** Items and the end; how text is spread over deltas is the network's matter. */
function outcome(events: readonly ModelEvent[]): unknown {
  return events.filter((event) => event.type === "item" || event.type === "finished");
}

for (const name of NAMES) {
  describe(`the recorded stream ${name}`, () => {
    test("has the recorded outcome", async () => {
      const expected = await Bun.file(join(FOLDER, `${name}.json`)).json();
      expect(outcome(await play(name, [await bytesOf(name)]))).toEqual(expected);
    });

    test("has the same outcome wherever the network cuts it", async () => {
      const bytes = await bytesOf(name);
      const expected = await Bun.file(join(FOLDER, `${name}.json`)).json();
      const roll = dice(7);
      for (let n = 0; n < RECUTS; n++) {
        const cuts = [
          0,
          ...Array.from({ length: 1 + roll(20) }, () => roll(bytes.length)),
          bytes.length,
        ].sort((a, b) => a - b);
        const pieces = cuts.slice(1).map((end, index) => bytes.slice(cuts[index], end));
        const whole = pieces.filter((piece) => piece.length > 0);
        expect(outcome(await playHere(name, whole))).toEqual(expected);
      }
    });

    test("ends well or with an error of ours when a byte is wrong", async () => {
      const bytes = await bytesOf(name);
      const roll = dice(11);
      for (let n = 0; n < FLIPS; n++) {
        const broken = bytes.slice();
        const at = roll(broken.length);
        broken[at] = (broken[at] ?? 0) ^ (1 + roll(255));
        const end = await playHere(name, [broken]).then(
          (events) => events.at(-1)?.type,
          (cause: unknown) => toAppError(cause).code,
        );
        expect(ENDINGS).toContain(end ?? "no event");
      }
    });
  });
}
