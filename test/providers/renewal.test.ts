import { expect, test } from "bun:test";
import { linkModel } from "../../src/core/model/model-link.ts";
import type { ModelEvent } from "../../src/model/types.ts";
import type { WireApi } from "../../src/protocol/items.ts";
import { resolveProvider } from "../../src/providers/resolve.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import { type FakeTurn, refuses, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

const never = new AbortController().signal;
const WIRES = ["responses", "chat", "messages"] as const;

/** Asks the same question `times` times, with the keys test-key-1, test-key-2, … of a program; returns the keys that were sent. */
async function askWithKeys(wire_api: WireApi, turns: FakeTurn[], times: number) {
  await using home = await tempHome();
  await using server = startFakeServer(turns);
  await home.write("key.sh", "echo x >> runs; echo test-key-$(wc -l < runs | tr -d ' ')\n");
  const auth = { command: "sh", args: ["key.sh"], cwd: home.cwd };
  const provider = await resolveProvider({
    values: { model_providers: { mine: { base_url: server.baseUrl, wire_api, auth } } },
    id: "mine",
    env: home.env,
    originator: "test",
    version: "1",
  });
  const model = linkModel(provider, provider.model("m"));
  const outcomes: string[] = [];
  for (let time = 0; time < times; time++) outcomes.push(await outcome(model.stream(question(), never)));
  return { outcomes, keys: server.requests.map(({ headers }) => headers["authorization"]) };
}

function question() {
  return {
    model: "m",
    instructions: "",
    items: [
      {
        type: "message" as const,
        role: "user" as const,
        content: [{ type: "input_text" as const, text: "?" }],
      },
    ],
    tools: [],
    parallelToolCalls: false,
    layout: {},
    extraBody: {},
    extraHeaders: {},
  };
}

async function outcome(events: AsyncIterable<ModelEvent>): Promise<string> {
  let last = "";
  try {
    for await (const event of events) last = event.type;
  } catch (cause) {
    const { code, message } = toErrorInfo(cause);
    return `${code} ${/test-key-\d/.test(message) ? "with the key" : "without the key"}`;
  }
  return last;
}

const REFUSED = refuses(401, { error: { message: "expired" } });

for (const wire of WIRES) {
  test(`a program's key that the server refuses is replaced, and the new one kept (${wire})`, async () => {
    expect(await askWithKeys(wire, [says("1"), REFUSED, says("2"), says("3")], 3)).toEqual({
      outcomes: ["finished", "finished", "finished"],
      keys: ["Bearer test-key-1", "Bearer test-key-1", "Bearer test-key-2", "Bearer test-key-2"],
    });
  });
}

test("a second refusal is the answer", async () => {
  const refusal = refuses(401, { error: { message: "no account for test-key-2" } });
  expect(await askWithKeys("chat", [REFUSED, refusal], 1)).toEqual({
    outcomes: ["auth without the key"],
    keys: ["Bearer test-key-1", "Bearer test-key-2"],
  });
});

test("a key is not replaced for what it may not do", async () => {
  expect(await askWithKeys("chat", [refuses(403, { error: { message: "not yours" } })], 1)).toEqual({
    outcomes: ["auth without the key"],
    keys: ["Bearer test-key-1"],
  });
});
