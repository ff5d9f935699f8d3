import type { Emit } from "../protocol/events.ts";
import { type Item, type Part, userText } from "../protocol/items.ts";
import { NO_USAGE, type Usage } from "../protocol/usage.ts";
import { createToolMemory } from "../tools/memory.ts";
import type { AgentOutcome, AgentReply, AgentRunner, AgentState, AgentTask } from "../tools/types.ts";
import { toAppError } from "../util/errors.ts";
import { type CallDeps, CallExecutor } from "./calls.ts";
import { onlyDeeds } from "./child-events.ts";
import { History } from "./history.ts";
import { PlanTracker } from "./plan-tracker.ts";
import { buildRequest } from "./request.ts";
import type { HarnessLink, ModelLink, SessionSettings } from "./settings.ts";
import { runTurn, type TurnDeps } from "./turn.ts";

export type ChildAgentParts = {
  sessionId: string;
  model: ModelLink;
  harness: HarnessLink;
  settings: SessionSettings;
  calls: Omit<CallDeps, "bind" | "plan">;
  /** What the model is told of its limits, before its task. */
  lead(): readonly Item[];
  emit: Emit;
  spend(usage: Usage): void;
  /** Throws when nothing more may be spent. */
  heedBudget(): void;
};

const RETRIES = { empty: 2, baseMs: 200, maxMs: 30_000 };

type Child = {
  state: AgentState;
  harness: HarnessLink;
  history: History;
  /** What it is to read with its next request. */
  steered: Part[][];
};

/**
 * The child agents of a session, each with a history of its own, which is not recorded. People see the commands and
 * changes of a child, and are asked for it as for its parent; what it says is for the parent alone.
 */
export class ChildAgents implements AgentRunner {
  readonly #parts: ChildAgentParts;
  readonly #children = new Map<string, Child>();

  constructor(parts: ChildAgentParts) {
    this.#parts = parts;
  }

  async run({ id, kind, description, prompt }: AgentTask, signal: AbortSignal): Promise<AgentOutcome> {
    const { lead } = this.#parts;
    const harness = await this.#parts.harness.child?.(kind);
    if (!harness || "problem" in harness)
      return failure(harness?.problem ?? "this harness has no agents", performance.now());
    const child: Child = {
      state: { id, kind: kind ?? "agent", description: description ?? firstLine(prompt), status: "running" },
      harness,
      history: new History([...lead(), userText(prompt), ...(harness.afterFirst ?? [])], ignore),
      steered: [],
    };
    this.#children.set(id, child);
    return await this.#work(child, signal);
  }

  list(): readonly AgentState[] {
    return [...this.#children.values()].map(({ state }) => state);
  }

  async send(id: string, message: string, signal: AbortSignal): Promise<AgentReply> {
    const child = this.#children.get(id);
    if (!child) return { kind: "unknown" };
    child.steered.push([{ type: "input_text", text: message }]);
    if (child.state.status === "running") return { kind: "delivered" };
    return { kind: "answered", ...(await this.#work(child, signal)) };
  }

  /** What a child has heard and said. */
  historyOf(id: string): readonly Item[] | undefined {
    return this.#children.get(id)?.history.items;
  }

  async #work(child: Child, signal: AbortSignal): Promise<AgentOutcome> {
    const startedAt = performance.now();
    const counts = { toolCalls: 0, tokens: 0 };
    const memory = createToolMemory();
    const emit = onlyDeeds(this.#parts.emit);
    child.state = { ...child.state, status: "running" };
    let outcome = failure("it was interrupted", startedAt);
    try {
      const deps = this.#turnDeps(child, { counts, memory, emit }, signal);
      const text = await runTurn(child.history, deps, emit, signal);
      outcome = { ...failure("", startedAt), ok: true, text: text ?? "(the agent said nothing)" };
    } catch (cause) {
      if (signal.aborted) throw cause;
      outcome = failure(toAppError(cause).message, startedAt);
    } finally {
      child.state = { ...child.state, status: outcome.ok ? "done" : "failed" };
      await memory.dispose();
    }
    return { ...outcome, ...counts };
  }

  #turnDeps({ harness, history, steered }: Child, own: Work, signal: AbortSignal): TurnDeps {
    const { model, calls, sessionId } = this.#parts;
    const { outputSchema: _, ...settings } = this.#parts.settings;
    const { counts, memory } = own;
    const plan = new PlanTracker(ignore, calls.newId);
    // Without agents: a child starts none. With a memory of its own: what it has read, its parent has not.
    const context: CallDeps["context"] = (call) => ({ ...calls.context(call), memory });
    const executor = new CallExecutor({ ...calls, bind: harness.bind, context, plan }, own.emit, signal);
    return {
      request: async () => {
        if (executor.stop) throw executor.stop;
        this.#parts.heedBudget();
        return buildRequest({ sessionId, model, harness, settings }, history.items, "turn");
      },
      stream: model.stream,
      execute: (call) => {
        counts.toolCalls += 1;
        return executor.execute(call);
      },
      resultOrder: harness.layout.resultOrder ?? "call",
      steer: () => steered.splice(0),
      beforeStop: async () => undefined,
      shrink: async () => false,
      amend: () => false,
      account: (usage = NO_USAGE) => {
        counts.tokens += usage.input + usage.output;
        this.#parts.spend(usage);
      },
      newId: calls.newId,
      retries: { stream: model.streamRetries, ...RETRIES },
      hideReasoning: true,
    };
  }
}

type Work = {
  counts: { toolCalls: number; tokens: number };
  memory: ReturnType<typeof createToolMemory>;
  emit: Emit;
};

function failure(reason: string, startedAt: number): AgentOutcome {
  const durationMs = Math.round(performance.now() - startedAt);
  return { ok: false, text: `the agent failed: ${reason}`, toolCalls: 0, tokens: 0, durationMs };
}

function firstLine(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, 80);
}

function ignore(): void {}
