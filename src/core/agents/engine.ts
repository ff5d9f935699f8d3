import type { Item } from "../../protocol/items.ts";
import type { AgentOutcome, AgentReply, AgentRunner, AgentState, AgentTask } from "../../tools/types.ts";
import { SharedLock, sleep } from "../../util/async.ts";
import { toAppError } from "../../util/errors.ts";
import { Child } from "./child.ts";
import { onlyDeeds } from "./deeds.ts";
import { knownSoFar } from "./known-so-far.ts";
import type { AgentHost, AgentPlan, ChildSession } from "./types.ts";

/**
 * The child agents of a session: each a session of its own, with no more rights than its parent, under a record of its own.
 * People see what a child does, and are asked for it as for its parent; what it says is for the parent alone. All ways to
 * start one, of whatever harness, come together here.
 */
export class ChildAgents implements AgentRunner, AsyncDisposable {
  readonly #plan: AgentPlan;
  readonly #host: AgentHost;
  readonly #children = new Map<string, Child>();
  readonly #slots: SharedLock;
  /** One is opened after the other: each must see the names and the number of those before it. */
  readonly #starting = new SharedLock(1);

  constructor(plan: AgentPlan, host: AgentHost) {
    this.#plan = plan;
    this.#host = host;
    this.#slots = new SharedLock(Math.max(1, plan.limits.running));
  }

  async run(task: AgentTask, signal: AbortSignal): Promise<AgentOutcome> {
    const child = await this.#start(task);
    if ("problem" in child) return { ...NO_WORK, ok: false, text: `the agent failed: ${child.problem}` };
    return await this.#finish(child, task.prompt, signal);
  }

  async spawn(task: AgentTask): Promise<AgentState | { problem: string }> {
    return await this.#starting.run(true, async () => {
      const { limits, team } = this.#plan;
      const { open } = limits;
      const working = [...team].filter(({ isAtWork }) => isAtWork).length;
      if (working >= open)
        return { problem: `${working} agents are at work, which is the limit: wait for one, or close one` };
      const child = await this.#open(task);
      if ("problem" in child) return child;
      void child.tell(task.prompt);
      // By then it has begun, if there is room for it.
      await new Promise<void>((resolve) => setImmediate(resolve));
      return child.state;
    });
  }

  list(): readonly AgentState[] {
    return [...this.#children.values()].map(({ state }) => state);
  }

  async send(id: string, message: string, signal: AbortSignal): Promise<AgentReply> {
    const child = await this.#known(id);
    if (!child || child.state.status === "closed") return { kind: "unknown" };
    if (!child.isAtWork) return { kind: "answered", ...(await this.#finish(child, message, signal)) };
    void child.tell(message);
    return { kind: "delivered" };
  }

  async tell(id: string, message: string, interrupt: boolean): Promise<AgentState | undefined> {
    const child = await this.#known(id);
    if (!child || child.state.status === "closed") return child?.state;
    if (interrupt) await child.interrupt();
    void child.tell(message);
    return child.state;
  }

  async wait(
    ids: readonly string[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<(AgentState | undefined)[]> {
    const children = ids.map((id) => this.#find(id));
    const isWaiting = children.length > 0 && children.every((child) => child?.isAtWork);
    if (isWaiting) await firstEnd(children, timeoutMs, signal);
    signal.throwIfAborted();
    return children.map((child) => child?.state);
  }

  async close(id: string): Promise<AgentState | undefined> {
    const child = this.#find(id);
    if (!child) return undefined;
    const { state } = child;
    await child.close();
    return state;
  }

  async resume(id: string): Promise<AgentState | { problem: string }> {
    const known = this.#find(id);
    if (known && known.state.status !== "closed") return known.state;
    const child = await this.#start(
      { prompt: "", description: known?.state.description },
      known?.state.sessionId ?? id,
    );
    return "problem" in child ? child : child.state;
  }

  async ended(id: string): Promise<void> {
    await this.#find(id)?.ended;
  }

  /** What a child has heard and said. */
  historyOf(id: string): readonly Item[] | undefined {
    return this.#find(id)?.items;
  }

  async interruptAll(): Promise<void> {
    await Promise.all([...this.#children.values()].map((child) => child.interrupt()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#children.values()].map((child) => child.close()));
  }

  /** One of this run, or of an earlier run of the session, which is opened again from its record. */
  async #known(id: string): Promise<Child | undefined> {
    const known = this.#find(id);
    if (known || !UUID.test(id)) return known;
    const child = await this.#start({ prompt: "" }, id);
    return "problem" in child ? undefined : child;
  }

  #find(id: string): Child | undefined {
    return this.#children.get(id) ?? [...this.#children.values()].find(({ state }) => state.sessionId === id);
  }

  #start(task: AgentTask, resume?: string): Promise<Child | { problem: string }> {
    return this.#starting.run(true, () => this.#open(task, resume));
  }

  async #open(task: AgentTask, resume?: string): Promise<Child | { problem: string }> {
    const { kind, model, effort, prompt } = task;
    const description = task.description ?? firstLine(prompt);
    const history = task.fork ? knownSoFar(this.#host.items()) : [];
    const taken = new Set(this.list().map(({ name }) => name));
    const wish = {
      kind,
      description,
      model,
      effort,
      history,
      taken,
      ...(resume === undefined ? {} : { resume }),
    };
    try {
      const opened = await this.#plan.open(wish, this.#host);
      if ("problem" in opened) return opened;
      const { session, name } = opened;
      const facts = { id: task.id ?? session.id, name, kind: opened.kind, description };
      const child = new Child(facts, session, this.#slots);
      session.subscribe(onlyDeeds(this.#host.emit, name));
      session.subscribe((event) => {
        if (event.type === "usage") this.#host.spend(event.last);
      });
      this.#children.set(facts.id, child);
      this.#plan.team.add(child);
      this.#show(child, session);
      return child;
    } catch (cause) {
      const { message, hint } = toAppError(cause);
      return { problem: hint === undefined ? message : `${message} (${hint})` };
    }
  }

  #show(child: Child, session: ChildSession): void {
    const { sessionId, name, description } = child.state;
    this.#plan.watch?.({
      sessionId,
      parentId: this.#host.sessionId,
      name,
      description,
      subscribe: (listener) => session.subscribe(listener),
      interrupt: () => child.interrupt(),
    });
  }

  async #finish(child: Child, message: string, signal: AbortSignal): Promise<AgentOutcome> {
    const stop = () => void child.interrupt();
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      const outcome = await child.tell(message);
      signal.throwIfAborted();
      return outcome;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_WORK = { toolCalls: 0, tokens: 0, durationMs: 0 };

async function firstEnd(
  children: readonly (Child | undefined)[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  // The sleep has to end with the wait, else its timer keeps the process.
  const stop = new AbortController();
  const timer = sleep(timeoutMs, AbortSignal.any([signal, stop.signal])).catch(() => {});
  await Promise.race([timer, ...children.map((child) => child?.ended)]);
  stop.abort();
}

function firstLine(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, 80);
}
