import type { AvailableCommand, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { PlanStep } from "../../protocol/details.ts";
import type { ThreadItem, TurnEvent } from "../../protocol/events.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { Client, Send } from "./client.ts";
import { StreamedText } from "./streamed-text.ts";
import { ToolCalls } from "./tool-calls.ts";

/** How a turn ended. */
export type TurnEnd = Extract<
  TurnEvent,
  { type: "turn.completed" | "turn.failed" | "turn.aborted" | "budget.reached" }
>;

/** Turns the events of one session into updates for its client. */
export class Updates {
  readonly calls: ToolCalls;
  /** Of the newest turn. */
  end: TurnEnd | undefined;
  readonly #send: Send;
  readonly #notice: (severity: "info" | "warning" | "error", text: string) => void;
  readonly #showsCompaction: boolean;
  readonly #hidesAgents: boolean;
  readonly #texts = new Map<string, StreamedText>();
  #plan = "";
  #commands = "";

  constructor(client: Client, sessionId: string, cwd: string) {
    this.#send = (update) => client.update(sessionId, update);
    this.#notice = (severity, text) => client.notice(sessionId, severity, text);
    this.#hidesAgents = client.facts.subagents;
    this.#showsCompaction = client.facts.compaction;
    this.calls = new ToolCalls({ cwd, send: this.#send, asTerminal: client.facts.terminalOutput });
  }

  take(event: TurnEvent): void {
    // A client with room for child agents sees there what they do.
    if (this.#hidesAgents && "agent" in itemOf(event)) return;
    switch (event.type) {
      case "item.started":
        if (event.item.type === "todo_list") this.#showPlan(event.item.steps);
        else if (event.callId !== undefined) this.calls.started(event.item, event.callId);
        else this.#startHosted(event.item);
        return;
      case "item.delta":
        if (event.field === "output") this.calls.added(event.id, event.delta);
        else this.#text(event.id, event.field === "reasoning").add(event.delta);
        return;
      case "item.updated":
        this.#updated(event.item);
        return;
      case "item.completed":
        this.#completed(event.item);
        return;
      case "history.appended":
        if (event.item.type === "tool_call") this.calls.called(event.item);
        else if (event.item.type === "tool_result") this.calls.answered(event.item);
        return;
      case "turn.completed":
      case "turn.failed":
      case "turn.aborted":
      case "budget.reached":
        this.end = event;
        this.#texts.clear();
        this.calls.turnEnded();
        return;
      case "approval.requested":
      case "approval.resolved":
      case "session.started":
      case "turn.started":
        return;
      case "usage":
      case "retrying":
      case "compacted":
      case "warning":
      case "model.loading":
        this.#aside(event);
    }
  }

  #aside(
    event: Extract<TurnEvent, { type: "usage" | "retrying" | "compacted" | "warning" | "model.loading" }>,
  ): void {
    switch (event.type) {
      case "usage": {
        const used = event.last.input + event.last.output;
        this.#send({ sessionUpdate: "usage_update", used, size: event.contextWindow });
        return;
      }
      case "retrying":
        this.#notice("warning", `Trying again (${event.attempt} of ${event.of}): ${event.error.message}`);
        return;
      case "warning":
        this.#notice("warning", event.message);
        return;
      case "model.loading":
        this.#notice("info", `Loading ${event.model} into memory.`);
        return;
      case "compacted":
        if (!this.#showsCompaction) return;
        this.#send({
          sessionUpdate: "compaction_update",
          compactionId: uuidV7(),
          status: "completed",
          summary: [{ type: "text", text: event.summary }],
        });
    }
  }

  /** A call that the provider ran itself: it is over when it is seen. */
  #startHosted(item: ThreadItem): void {
    if (item.type === "web_search") this.calls.started(item, item.id);
  }

  #updated(item: ThreadItem): void {
    if (item.type === "todo_list") this.#showPlan(item.steps);
    else if (item.type === "agent_message" || item.type === "reasoning") this.#texts.get(item.id)?.restart();
  }

  #completed(item: ThreadItem): void {
    if (item.type === "agent_message" || item.type === "reasoning") {
      this.#text(item.id, item.type === "reasoning").finish(item.text);
      this.#texts.delete(item.id);
    } else if (item.type === "todo_list") this.#showPlan(item.steps);
    else if (item.type === "error") this.#notice("error", item.message);
    else this.calls.ended(item);
  }

  #text(id: string, isThought: boolean): StreamedText {
    const known = this.#texts.get(id);
    if (known) return known;
    const sessionUpdate = isThought ? "agent_thought_chunk" : "agent_message_chunk";
    const text = new StreamedText((chunk, messageId) =>
      this.#send({ sessionUpdate, content: { type: "text", text: chunk }, messageId }),
    );
    this.#texts.set(id, text);
    return text;
  }

  showCommands(availableCommands: AvailableCommand[]): void {
    const seen = JSON.stringify(availableCommands);
    if (seen === this.#commands) return;
    this.#commands = seen;
    this.#send({ sessionUpdate: "available_commands_update", availableCommands });
  }

  #showPlan(steps: readonly PlanStep[]): void {
    const update = planUpdate(steps);
    const seen = JSON.stringify(update);
    if (seen === this.#plan) return;
    this.#plan = seen;
    this.#send(update);
  }
}

function itemOf(event: TurnEvent): object {
  return "item" in event ? event.item : {};
}

function planUpdate(steps: readonly PlanStep[]): SessionUpdate {
  const entries = steps.map(({ text, status }) => ({ content: text, priority: "medium" as const, status }));
  return { sessionUpdate: "plan", entries };
}
