import { type FakeChoice, type FakeServer, type FakeTurn, startFakeServer } from "./fake-server.ts";

type Script = readonly (FakeTurn | FakeChoice)[];

/**
 * A model server for a parent and its child agents: each conversation has a script of its own, chosen by a word that is in
 * its requests. The words are looked for in the order of the scripts, so that the parent's, which also holds what its
 * children were told, comes first.
 */
export function startAgentServer(scripts: Readonly<Record<string, Script>>): FakeServer {
  const at = new Map<string, number>();
  const choose: FakeChoice = async (request) => {
    const text = JSON.stringify(request.body);
    const word = Object.keys(scripts).find((one) => text.includes(one)) ?? "";
    const count = at.get(word) ?? 0;
    at.set(word, count + 1);
    const turn = scripts[word]?.[count];
    if (turn === undefined)
      return { kind: "status", status: 400, body: { error: { message: `no turn ${count} for "${word}"` } } };
    return typeof turn === "function" ? await turn(request) : turn;
  };
  return startFakeServer(Array.from({ length: 100 }, () => choose));
}

/** The agent ids that results in this request have named, in order. */
export function agentIds(body: unknown): string[] {
  const text = JSON.stringify(body);
  return [...new Set([...text.matchAll(/agent_id\\+":\\+"([0-9a-f-]{36})/g)].map(([, id = ""]) => id))];
}
