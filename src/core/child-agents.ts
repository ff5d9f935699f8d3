import type { Emit, TurnEvent } from "../protocol/events.ts";
import { type Item, userText } from "../protocol/items.ts";
import { NO_USAGE, type Usage } from "../protocol/usage.ts";
import { createToolMemory } from "../tools/memory.ts";
import type { AgentOutcome, AgentRunner, AgentTask } from "../tools/types.ts";
import { toAppError } from "../util/errors.ts";
import { type CallDeps, CallExecutor } from "./calls.ts";
import { History } from "./history.ts";
import { PlanTracker } from "./plan-tracker.ts";
import { buildRequest } from "./request.ts";
import type { HarnessLink, ModelLink, SessionSettings } from "./settings.ts";
import { runTurn } from "./turn.ts";

export type ChildAgentParts = {
  sessionId: string;
  model: ModelLink;
  harness: HarnessLink;
  settings: SessionSettings;
  calls: Omit<CallDeps, "bind" | "plan">;
  /** What the model is told of its limits, before its task. */
  lead: readonly Item[];
  emit: Emit;
  spend(usage: Usage): void;
  /** Throws when nothing more may be spent. */
  heedBudget(): void;
};

const RETRIES = { empty: 2, baseMs: 200, maxMs: 30_000 };

/**
 * Runs child agents in a history of their own, which is not recorded. People see the commands and changes of a child, and
 * are asked for it as for its parent; what it says is for the parent alone.
 */
export function childAgents(parts: ChildAgentParts): AgentRunner {
  return {
    async run(task, signal) {
      const startedAt = performance.now();
      const child = await parts.harness.child?.(task.kind);
      if (!child || "problem" in child)
        return failure(child?.problem ?? "this harness has no agents", startedAt);
      return await runChild(task, { ...parts, harness: child }, startedAt, signal);
    },
  };
}

async function runChild(
  { prompt }: AgentTask,
  parts: ChildAgentParts,
  startedAt: number,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const { model, harness, lead } = parts;
  const memory = createToolMemory();
  const emit = onlyDeeds(parts.emit);
  const history = new History([...lead, userText(prompt), ...(harness.afterFirst ?? [])], ignore);
  const { outputSchema: _, ...settings } = parts.settings;
  const executor = new CallExecutor(
    {
      ...parts.calls,
      bind: harness.bind,
      // Without agents: a child starts none. With a memory of its own: what it has read, its parent has not.
      context: (call) => ({ ...parts.calls.context(call), memory }),
      plan: new PlanTracker(ignore, parts.calls.newId),
    },
    emit,
    signal,
  );
  const counts = { toolCalls: 0, tokens: 0 };
  try {
    const text = await runTurn(
      history,
      {
        request: async () => {
          if (executor.stop) throw executor.stop;
          parts.heedBudget();
          return buildRequest(
            { sessionId: parts.sessionId, model, harness, settings },
            history.items,
            "turn",
          );
        },
        stream: model.stream,
        execute: (call) => {
          counts.toolCalls += 1;
          return executor.execute(call);
        },
        resultOrder: harness.layout.resultOrder ?? "call",
        steer: () => [],
        beforeStop: async () => undefined,
        shrink: async () => false,
        amend: () => false,
        account: (usage = NO_USAGE) => {
          counts.tokens += usage.input + usage.output;
          parts.spend(usage);
        },
        newId: parts.calls.newId,
        retries: { stream: model.streamRetries, ...RETRIES },
        hideReasoning: true,
      },
      emit,
      signal,
    );
    return { ok: true, text: text ?? "(the agent said nothing)", ...counts, durationMs: since(startedAt) };
  } catch (cause) {
    if (signal.aborted) throw cause;
    return { ...failure(toAppError(cause).message, startedAt), ...counts };
  } finally {
    await memory.dispose();
  }
}

/** Lets through what a person must see of a child: commands, changes, calls of servers, questions, trouble. */
function onlyDeeds(emit: Emit): Emit {
  const open = new Set<string>();
  return (event) => {
    if (isDeed(event)) open.add(event.item.id);
    const isPart = event.type === "item.delta" && open.has(event.id);
    const isOther = /^(?:approval\.|retrying$|warning$)/.test(event.type);
    if (isDeed(event) || isPart || isOther) emit(event);
  };
}

const DEEDS: ReadonlySet<string> = new Set([
  "command_execution",
  "file_change",
  "mcp_tool_call",
  "web_search",
]);

function isDeed(
  event: TurnEvent,
): event is Extract<TurnEvent, { type: `item.${"started" | "updated" | "completed"}` }> {
  return (
    (event.type === "item.started" || event.type === "item.updated" || event.type === "item.completed") &&
    DEEDS.has(event.item.type)
  );
}

function failure(reason: string, startedAt: number): AgentOutcome {
  return {
    ok: false,
    text: `the agent failed: ${reason}`,
    toolCalls: 0,
    tokens: 0,
    durationMs: since(startedAt),
  };
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

function ignore(): void {}
