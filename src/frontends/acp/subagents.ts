import { RequestError, type StateUpdate } from "@agentclientprotocol/sdk/unstable";
import { isContextFragment } from "../../core/prompt-context/fragments.ts";
import type { ChildAgent } from "../../protocol/child-agent.ts";
import type { TurnEvent } from "../../protocol/events.ts";
import { textOf } from "../../protocol/items.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { Client } from "./client.ts";
import type { CallPlace } from "./permissions.ts";
import { titleText } from "./texts.ts";
import { answerOf } from "./turn-answer.ts";
import { type TurnEnd, Updates } from "./updates.ts";

type Shown = { agent: ChildAgent; updates: Updates };

/** The child agents of one session, as sessions of their own for a client that can show them. */
export class Subagents {
  readonly #client: Client;
  readonly #cwd: string;
  readonly #shown = new Map<string, Shown>();

  constructor(client: Client, cwd: string) {
    this.#client = client;
    this.#cwd = cwd;
  }

  /** A child that is opened again keeps its id. */
  show(agent: ChildAgent): void {
    const { sessionId, parentId, name, description } = agent;
    this.#shown.get(sessionId)?.updates.calls.dispose();
    const updates = new Updates(this.#client, sessionId, this.#cwd);
    this.#shown.set(sessionId, { agent, updates });
    this.#client.update(parentId, {
      sessionUpdate: "subagent_update",
      sessionId,
      title: name,
      description: titleText(description),
      capabilities: { cancel: {} },
      state: { state: "idle" },
    });
    agent.subscribe((event) => this.#take(event, agent, updates));
  }

  /** Where a call of this child is shown. */
  placeOf(sessionId: string): CallPlace | undefined {
    const shown = this.#shown.get(sessionId);
    return shown && { sessionId, calls: shown.updates.calls };
  }

  /** Leaves those alone that are not ours. */
  cancel(sessionId: string): void {
    void this.#shown.get(sessionId)?.agent.interrupt();
  }

  dispose(): void {
    for (const { updates } of this.#shown.values()) updates.calls.dispose();
    this.#shown.clear();
  }

  #take(event: TurnEvent, agent: ChildAgent, updates: Updates): void {
    const { sessionId, parentId } = agent;
    if (event.type === "history.appended") this.#tellMessage(event, agent);
    const before = updates.end;
    updates.take(event);
    const end = updates.end === before ? undefined : updates.end;
    const state = end ? idleAfter(end) : stateIn(event);
    if (state) this.#client.update(parentId, { sessionUpdate: "subagent_update", sessionId, state });
  }

  /** What the parent tells it. */
  #tellMessage({ item }: Extract<TurnEvent, { type: "history.appended" }>, agent: ChildAgent): void {
    if (item.type !== "message" || item.role !== "user" || isContextFragment(item)) return;
    this.#client.update(agent.sessionId, {
      sessionUpdate: "session_message",
      messageId: uuidV7(),
      senderSessionId: agent.parentId,
      recipientSessionId: agent.sessionId,
      content: [{ type: "text", text: textOf(item.content) }],
    });
  }
}

function stateIn({ type }: TurnEvent): StateUpdate | undefined {
  if (type === "turn.started" || type === "approval.resolved") return { state: "running" };
  return type === "approval.requested" ? { state: "requires_action" } : undefined;
}

function idleAfter(end: TurnEnd): StateUpdate {
  try {
    const { stopReason, usage } = answerOf(end);
    return { state: "idle", stopReason, ...(usage ? { usage } : {}) };
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    return { state: "idle", stopReason: "error", error: { code: cause.code, message: cause.message } };
  }
}
