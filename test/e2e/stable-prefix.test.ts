import { expect, setDefaultTimeout, test } from "bun:test";
import { answers, calls, type FakeTurn, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { execJson, useModel, WIRES, type WireName } from "./fake-model.ts";

// Each test starts the program several times, on machines that may be busy.
setDefaultTimeout(120_000);

const ROUNDS = 30;

/** One of each kind of thing that a turn adds to history, so that a wire that re-writes it later is found out. */
function round(number: number): FakeTurn {
  const echo = (text: string) =>
    ({ type: "call", name: "exec_command", input: { cmd: `echo ${text}` } }) as const;
  switch (number % 6) {
    case 0:
      return answers(
        { type: "thinking", text: `thought ${number}` },
        { type: "text", text: "next" },
        echo(`a${number}`),
      );
    case 1:
      return answers(echo(`b${number}`), echo(`c${number}`));
    case 2:
      return calls("exec_command", `{'cmd': 'echo d${number}',}`);
    case 3:
      return calls("exec_command", `{"cmd": "echo e${number}`);
    case 4:
      return calls("no_such_tool", { number });
    default:
      return calls("exec_command", { cmd: `echo f${number} >&2; exit 3` });
  }
}

for (const wire of WIRES) {
  test(`${wire}: over ${ROUNDS} rounds with tools and a second turn, each request begins with the one before, byte for byte`, async () => {
    await using home = await tempHome();
    const rounds = Array.from({ length: ROUNDS }, (_, number) => round(number));
    await using server = startFakeServer([
      ...rounds,
      says("done"),
      calls("exec_command", { cmd: "true" }),
      says("done"),
    ]);
    await useModel(home, server, { wire });
    const first = await execJson(home, ["go"]);
    const second = await execJson(home, ["resume", "--last", "and now?"]);
    expect([first.exitCode, second.exitCode, server.requests.length]).toEqual([0, 0, ROUNDS + 3]);
    const sent = server.requests.map(({ body }) => parts(Object(body), wire));
    for (const [at, request] of sent.entries()) {
      const before = sent[at - 1];
      if (!before) continue;
      expect({ at, fixed: request.fixed }).toEqual({ at, fixed: before.fixed });
      expect({ at, start: request.messages.slice(0, before.messages.length) }).toEqual({
        at,
        start: before.messages,
      });
      expect(request.messages.length).toBeGreaterThan(before.messages.length);
    }
  });
}

/** The texts of what a server's cache compares, in order. */
function parts(body: Record<string, unknown>, wire: WireName): { fixed: string; messages: string[] } {
  const { messages, input, tools, system, instructions } = body;
  const list = wire === "responses" ? input : messages;
  const all = Array.isArray(list) ? list : [];
  return {
    fixed: JSON.stringify([tools, system, instructions]),
    messages: wire === "messages" ? all.flatMap(blocks) : all.map((message) => JSON.stringify(message)),
  };
}

/**
 * On the messages wire the mark that says where to cache moves with the end of the conversation. It is not part of what is
 * cached, and neither is whether a single text is sent as a string or as a block, which follows from it.
 */
function blocks({ role, content }: { role: string; content: unknown }): string[] {
  const list = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return list.map(({ cache_control: _, ...block }) => JSON.stringify({ role, ...block }));
}
