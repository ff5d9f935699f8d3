import type { McpResult } from "../../protocol/details.ts";
import type { Emit, ItemId, ThreadItem, TurnEvent } from "../../protocol/events.ts";
import type { Usage } from "../../protocol/usage.ts";

export type JsonOptions = {
  /** One JSON object, without its line end. */
  write(line: string): void;
  /** What earlier turns of the thread have used. */
  usageBefore: Usage;
  /** A review reports no usage. */
  hidesUsage: boolean;
};

/** Translates the events of a session to the lines of `exec --json`. */
export function jsonPrinter({ write, usageBefore, hidesUsage }: JsonOptions): Emit {
  const numbers = new Map<ItemId, string>();
  const open = new Set<ItemId>();
  let total = usageBefore;
  let thread = "";
  let advisories = 0;
  const nextId = () => `item_${numbers.size + advisories}`;
  const idOf = (id: ItemId) => {
    const known = numbers.get(id);
    if (known) return known;
    const made = nextId();
    numbers.set(id, made);
    return made;
  };
  const line = (value: unknown) => write(JSON.stringify(value));
  const showItem = (type: "item.started" | "item.updated" | "item.completed", item: ThreadItem) => {
    if (isShownWhole(item) && type !== "item.completed") return;
    if (type === "item.updated" && !open.has(item.id)) return;
    open.add(item.id);
    line({ type, item: { id: idOf(item.id), ...itemBody(item, thread) } });
  };
  const fail = (message: string) => {
    line({ type: "error", message });
    line({ type: "turn.failed", error: { message } });
  };

  return (event: TurnEvent) => {
    switch (event.type) {
      case "session.started":
        thread = event.session.id;
        return line({ type: "thread.started", thread_id: thread });
      case "turn.started":
        return line({ type: "turn.started" });
      case "item.started":
      case "item.updated":
      case "item.completed":
        return isOfChild(event.item) ? undefined : showItem(event.type, event.item);
      case "usage":
        total = event.total;
        return;
      case "retrying":
        return line({
          type: "error",
          message: `Reconnecting... ${event.attempt}/${event.of} (${event.error.message})`,
        });
      case "warning": {
        const id = nextId();
        advisories += 1;
        return line({ type: "item.completed", item: { id, type: "error", message: event.message } });
      }
      case "turn.completed":
        return line({ type: "turn.completed", usage: usageBody(hidesUsage ? undefined : total) });
      case "turn.failed":
        return fail(event.error.message);
      case "budget.reached":
        return fail(event.message);
      case "turn.aborted":
        if (event.reason === "deadline") fail("stopped: the time given by --timeout is used up");
        return;
      case "item.delta":
      case "history.appended":
      case "approval.requested":
      case "approval.resolved":
      case "compacted":
      case "model.loading":
        return;
    }
  };
}

/** What a child agent does is its own thread's; here, only that it was started and how it ended. */
function isOfChild({ agent }: ThreadItem): boolean {
  return agent !== undefined;
}

/** Messages and thoughts appear once, whole: the protocol has no text deltas. */
function isShownWhole(item: ThreadItem): boolean {
  return item.type === "agent_message" || item.type === "reasoning";
}

function itemBody(item: ThreadItem, thread: string): Record<string, unknown> {
  switch (item.type) {
    case "agent_message":
    case "reasoning":
      return { type: item.type, text: item.text };
    case "error":
      return { type: item.type, message: item.message };
    case "command_execution":
      return {
        type: item.type,
        command: item.command,
        aggregated_output: item.output,
        exit_code: item.exitCode ?? null,
        status: item.status,
      };
    case "file_change":
      return {
        type: item.type,
        changes: item.changes.map(({ path, kind }) => ({ path, kind })),
        status: item.status,
      };
    case "mcp_tool_call":
      return {
        type: item.type,
        server: item.server,
        tool: item.tool,
        arguments: item.input ?? null,
        result: item.result ? mcpResult(item.result) : null,
        error: item.error === undefined ? null : { message: item.error },
        status: item.status,
      };
    case "web_search":
      return { type: item.type, query: item.query, action: item.action ?? null };
    case "agent_call":
      return agentBody(item, thread);
    case "todo_list":
      return {
        type: item.type,
        items: item.steps.map(({ text, status }) => ({ text, completed: status === "completed" })),
      };
  }
}

type AgentCall = Extract<ThreadItem, { type: "agent_call" }>;

function agentBody({ action, agents, prompt, status }: AgentCall, thread: string): Record<string, unknown> {
  const isStart = status === "in_progress" && action === "spawn";
  const states = isStart
    ? []
    : agents.map((one) => [
        one.sessionId,
        { status: AGENT_STATES[one.status], message: one.message ?? null },
      ]);
  return {
    type: "collab_tool_call",
    tool: AGENT_TOOLS[action],
    sender_thread_id: thread,
    receiver_thread_ids: agents.map(({ sessionId }) => sessionId),
    prompt: prompt ?? null,
    agents_states: Object.fromEntries(states),
    status,
  };
}

const AGENT_TOOLS = { spawn: "spawn_agent", send: "send_input", wait: "wait", close: "close_agent" } as const;
const AGENT_STATES = {
  pending: "pending_init",
  running: "running",
  done: "completed",
  failed: "errored",
  interrupted: "interrupted",
  closed: "shutdown",
} as const;

function mcpResult(result: McpResult): Record<string, unknown> {
  const meta = result._meta === undefined ? {} : { _meta: result._meta };
  return { content: result.content, structured_content: result.structuredContent ?? null, ...meta };
}

function usageBody(usage: Usage | undefined): Record<string, number> {
  return {
    input_tokens: usage?.input ?? 0,
    cached_input_tokens: usage?.cachedInput ?? 0,
    cache_write_input_tokens: usage?.cacheWrite ?? 0,
    output_tokens: usage?.output ?? 0,
    reasoning_output_tokens: usage?.reasoning ?? 0,
  };
}
