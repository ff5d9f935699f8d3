import { expect, test } from "bun:test";
import { ChildAgents } from "../../../src/core/agents/engine.ts";
import { freeName } from "../../../src/core/agents/names.ts";
import type { AgentHost, AgentPlan, ChildSession } from "../../../src/core/agents/types.ts";
import type { Emit, TurnEvent } from "../../../src/protocol/events.ts";
import { type Part, textOf } from "../../../src/protocol/items.ts";
import { NO_USAGE } from "../../../src/protocol/usage.ts";

type Outcome = Awaited<ReturnType<ChildSession["submit"]>>;

/** A child whose turns end when the test says so. Words while a turn runs are a part of it. */
class FakeSession implements ChildSession {
  readonly items = [];
  readonly heard: string[] = [];
  isDisposed = false;
  #turn: PromiseWithResolvers<Outcome> | undefined;
  readonly #listeners: Emit[] = [];

  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  subscribe(listener: Emit): Disposable {
    this.#listeners.push(listener);
    return { [Symbol.dispose]() {} };
  }

  submit(input: Part[]): Promise<Outcome> {
    this.heard.push(textOf(input));
    this.#turn ??= Promise.withResolvers<Outcome>();
    return this.#turn.promise;
  }

  end(outcome: Outcome): void {
    this.#turn?.resolve(outcome);
    this.#turn = undefined;
  }

  say(event: TurnEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  async interrupt(): Promise<void> {
    this.end({ status: "aborted" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true;
  }
}

function family(running: number, open = 6, team: AgentPlan["team"] = new Set()) {
  const sessions: FakeSession[] = [];
  const events: TurnEvent[] = [];
  const host = {
    emit: (event) => events.push(event),
    items: () => [],
    spend: () => {},
  } as Partial<AgentHost>;
  const agents = new ChildAgents(
    {
      limits: { running, open },
      team,
      open: async ({ kind = "default", taken }) => {
        if (kind === "none") return { problem: "there is no agent none" };
        const session = new FakeSession(`s${sessions.length + 1}`);
        sessions.push(session);
        return { session, kind, name: freeName([], taken) };
      },
    },
    host as AgentHost,
  );
  return { agents, sessions, events };
}

const done = (lastMessage: string): Outcome => ({ status: "completed", lastMessage });
const signal = () => new AbortController().signal;

test("children have names of their own, also when they are started at the same time", async () => {
  const { agents } = family(1);
  await Promise.all(["a", "b", "c"].map((prompt) => agents.spawn({ prompt })));
  expect(agents.list().map(({ name, status }) => [name, status])).toEqual([
    ["Alder", "running"],
    ["Birch", "pending"],
    ["Cedar", "pending"],
  ]);
});

test("a child that waits for its turn begins when the one before it has ended", async () => {
  const { agents, sessions } = family(1);
  await agents.spawn({ prompt: "a" });
  await agents.spawn({ prompt: "b" });
  await agents.tell("s2", "and c", false);
  expect(sessions[1]?.heard).toEqual([]);
  sessions[0]?.end(done("one"));
  await agents.ended("s1");
  while (sessions[1]?.heard.length === 0) await Promise.resolve();
  expect(sessions[1]?.heard).toEqual(["b\n\nand c"]);
  sessions[1]?.end(done("two"));
  await agents.ended("s2");
  expect(await agents.wait(["s1", "s2"], 1000, signal())).toMatchObject([
    { status: "done", message: "one" },
    { status: "done", message: "two" },
  ]);
});

test("one that waits for its turn is closed at once", async () => {
  const { agents, sessions } = family(1);
  await agents.spawn({ prompt: "a" });
  await agents.spawn({ prompt: "b" });
  expect(await agents.close("s2")).toMatchObject({ status: "pending" });
  expect([sessions[1]?.heard, sessions[1]?.isDisposed]).toEqual([[], true]);
  sessions[0]?.end(done("one"));
  await agents.ended("s1");
  expect(sessions[1]?.heard).toEqual([]);
  expect(await agents.tell("s2", "hello?", false)).toMatchObject({ status: "closed" });
});

test("words that come while a child is at work are a part of it, or of the turn that they begin", async () => {
  const { agents, sessions } = family(2);
  const outcome = agents.run({ prompt: "a" }, signal());
  while (sessions.length === 0 || sessions[0]?.heard.length === 0) await Promise.resolve();
  await agents.tell("s1", "b", false);
  expect(sessions[0]?.heard).toEqual(["a", "b"]);
  sessions[0]?.end(done("half"));
  void agents.tell("s1", "c", false);
  while (sessions[0]?.heard.length === 2) await Promise.resolve();
  sessions[0]?.end(done("whole"));
  expect(await outcome).toMatchObject({ ok: true, text: "whole" });
});

test("an interrupted child is that, and goes on when it is told to", async () => {
  const { agents, sessions } = family(2);
  await agents.spawn({ prompt: "a" });
  const state = await agents.tell("s1", "b", true);
  expect([state?.status === "running" || state?.status === "pending", sessions[0]?.heard]).toEqual([
    true,
    ["a", "b"],
  ]);
  await agents.interruptAll();
  expect(agents.list()).toMatchObject([{ status: "interrupted" }]);
});

test("more than the limit can't be started until one has ended", async () => {
  const { agents, sessions } = family(2, 2);
  await agents.spawn({ prompt: "a" });
  await agents.spawn({ prompt: "b" });
  expect(await agents.spawn({ prompt: "c" })).toEqual({
    problem: "2 agents are at work, which is the limit: wait for one, or close one",
  });
  sessions[0]?.end(done("one"));
  await agents.ended("s1");
  expect(await agents.spawn({ prompt: "c" })).toMatchObject({ sessionId: "s3" });
});

test("the limit is for all agents of a session together, whoever starts them", async () => {
  const team: AgentPlan["team"] = new Set();
  const parent = family(6, 2, team);
  const child = family(6, 2, team);
  await parent.agents.spawn({ prompt: "a" });
  await child.agents.spawn({ prompt: "b" });
  expect(await child.agents.spawn({ prompt: "c" })).toEqual({
    problem: "2 agents are at work, which is the limit: wait for one, or close one",
  });
  parent.sessions[0]?.end(done("a"));
  await parent.agents.ended("s1");
  expect(await child.agents.spawn({ prompt: "c" })).toMatchObject({ status: "running" });
});

test("a wait ends with its time, with the signal, and at once for those that don't exist", async () => {
  const { agents } = family(2);
  await agents.spawn({ prompt: "a" });
  expect(await agents.wait(["s1"], 1, signal())).toMatchObject([{ status: "running" }]);
  expect(await agents.wait(["s1", "s9"], 60_000, signal())).toMatchObject([{ status: "running" }, undefined]);
  const control = new AbortController();
  const waiting = agents.wait(["s1"], 60_000, control.signal);
  control.abort(new Error("stop"));
  expect(waiting).rejects.toThrow("stop");
});

test("a run that is stopped stops its child; a kind that does not exist is a failure", async () => {
  const { agents, sessions } = family(2);
  const control = new AbortController();
  const run = agents.run({ prompt: "a", id: "call-1" }, control.signal);
  while (sessions.length === 0 || sessions[0]?.heard.length === 0) await Promise.resolve();
  control.abort(new Error("stop"));
  expect(run).rejects.toThrow("stop");
  expect(await agents.run({ prompt: "a", kind: "none" }, signal())).toMatchObject({
    ok: false,
    text: "the agent failed: there is no agent none",
  });
});

test("people see the deeds of a child with its name, and what it says is for its parent", async () => {
  const { agents, sessions, events } = family(1);
  await agents.spawn({ prompt: "a" });
  const [session] = sessions;
  const command = { type: "command_execution", command: "ls", cwd: "/w", output: "", durationMs: 0 } as const;
  session?.say({
    type: "item.started",
    callId: "call_0",
    item: { id: "i1", status: "in_progress", ...command },
  });
  session?.say({ type: "item.delta", id: "i1", field: "output", delta: "x" });
  session?.say({ type: "item.delta", id: "i2", field: "text", delta: "hidden" });
  session?.say({ type: "item.completed", item: { id: "i2", type: "agent_message", text: "hidden" } });
  session?.say({ type: "warning", message: "odd" });
  session?.say({
    type: "approval.requested",
    request: { id: "q", callId: "c", kind: "command", argv: ["ls"], cwd: "/w", reason: "to look" },
  });
  session?.say({ type: "usage", turn: NO_USAGE, total: NO_USAGE, last: NO_USAGE, contextWindow: 1 });
  expect(events).toMatchObject([
    { type: "item.started", item: { agent: "Alder" }, callId: "Alder/call_0" },
    { type: "item.delta", delta: "x" },
    { type: "warning", message: "agent Alder: odd" },
    { type: "approval.requested", request: { reason: "agent Alder: to look", callId: "Alder/c" } },
  ]);
});

test("at the end of the session every child is closed", async () => {
  const { agents, sessions } = family(1);
  await agents.spawn({ prompt: "a" });
  await agents.spawn({ prompt: "b" });
  await agents[Symbol.asyncDispose]();
  expect(sessions.map(({ isDisposed }) => isDisposed)).toEqual([true, true]);
  expect(agents.list().map(({ status }) => status)).toEqual(["closed", "closed"]);
});
