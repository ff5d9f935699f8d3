import type { ToolCallStatus, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import type { ApprovalRequest } from "../../protocol/approvals.ts";
import type { ItemStatus, ThreadItem } from "../../protocol/events.ts";
import { type ToolCall, type ToolResultItem, textOf } from "../../protocol/items.ts";
import { truncateMiddle } from "../../util/truncate.ts";
import { type CallView, contentOfMcp, viewOfCall, viewOfItem, viewOfRequest } from "./call-view.ts";
import type { Send } from "./client.ts";
import {
  type CommandOutput,
  outputAsTerminal,
  outputAsText,
  outputInTerminal,
  progressAsText,
} from "./command-output.ts";
import { fenced, textContent } from "./texts.ts";

type Call = {
  /** As the client knows it. */
  id: string;
  view: CallView;
  status: ToolCallStatus;
  /** An item shows how it goes; else its result is all there is. */
  hasItem: boolean;
  /** The model has its answer. */
  answer?: ToolResultItem;
  output?: CommandOutput;
};

export type ToolCallsOptions = { cwd: string; send: Send; asTerminal: boolean };

/** What a result shows of itself when nothing better is there. Bytes. */
const MOST_RESULT = 16 * 1024;

/** The tool calls of a session as its client sees them: announced once, then changed, and none is left open. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #byCall = new Map<string, Call>();
  readonly #byItem = new Map<string, Call>();
  readonly #usedIds = new Map<string, number>();

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** The model has made a call. */
  called(call: ToolCall): void {
    const view = viewOfCall(call, this.#options.cwd);
    if (view) this.#announce(call.callId, view, call.name);
  }

  /** A person is asked before the call runs; what the client shows with the question. */
  asked(request: ApprovalRequest): ToolCallUpdate {
    const view = viewOfRequest(request, this.#options.cwd);
    const call = this.#byCall.get(request.callId) ?? this.#announce(request.callId, view);
    call.view = view;
    return { toolCallId: call.id, status: "pending", ...view };
  }

  /** The person said no. */
  refused(callId: string): void {
    const call = this.#byCall.get(callId);
    if (call) this.#end(call, "failed", {});
  }

  started(item: ThreadItem, callId: string): void {
    const { cwd, asTerminal } = this.#options;
    const view = viewOfItem(item, cwd);
    if (!view) return;
    const known = this.#byCall.get(callId);
    const isNew = known === undefined || isOver(known);
    const call = isNew ? this.#new(callId, view) : known;
    call.hasItem = true;
    call.view = view;
    call.status = "in_progress";
    this.#byItem.set(item.id, call);
    const send = (change: Omit<ToolCallUpdate, "toolCallId">) => this.#update(call, change);
    if (item.type === "mcp_tool_call") call.output = progressAsText(send);
    if (item.type === "command_execution") {
      call.output = asTerminal ? outputAsTerminal(call.id, item.cwd, send) : outputAsText(send);
    }
    // The question's own words have served their time.
    const { _meta, content } = call.output?.first ?? {};
    const fields = {
      toolCallId: call.id,
      ...view,
      content: content ?? view.content ?? [],
      status: call.status,
      ...(_meta ? { _meta } : {}),
    };
    if (isNew) this.#options.send({ sessionUpdate: "tool_call", ...fields });
    else this.#options.send({ sessionUpdate: "tool_call_update", ...fields });
  }

  /** The call's command runs in a terminal of the client's, or after all in none: then its output is text. */
  runsIn(callId: string, terminalId: string | undefined): void {
    const call = this.#byCall.get(callId);
    if (!call) return;
    call.output?.dispose();
    call.output =
      terminalId === undefined
        ? outputAsText((change) => this.#update(call, change))
        : outputInTerminal(terminalId);
    this.#update(call, { content: [], ...call.output.first });
  }

  added(itemId: string, chunk: string): void {
    this.#byItem.get(itemId)?.output?.add(chunk);
  }

  ended(item: ThreadItem): void {
    const call = this.#byItem.get(item.id);
    if (!call) return;
    this.#byItem.delete(item.id);
    if (item.type === "command_execution") {
      const { exitCode, output, durationMs, status } = item;
      const rawOutput = { exit_code: exitCode ?? null, duration_ms: Math.round(durationMs) };
      this.#end(call, statusOf(status), { rawOutput, ...call.output?.end(output, exitCode) });
    } else if (item.type === "mcp_tool_call") {
      const content = contentOfMcp(item.result, item.error);
      const rawOutput = item.result?.structuredContent;
      this.#end(call, statusOf(item.status), { content, ...(rawOutput === undefined ? {} : { rawOutput }) });
    } else if (item.type === "file_change") {
      const why = item.status === "completed" ? [] : this.#reason(call);
      const content = [...(call.view.content ?? []), ...why];
      this.#end(call, statusOf(item.status), why.length > 0 ? { content } : {});
    } else if (item.type === "agent_call") {
      const { title, content = [] } = viewOfItem(item, this.#options.cwd) ?? {};
      this.#end(call, statusOf(item.status), { ...(title === undefined ? {} : { title }), content });
    } else this.#end(call, "completed", {});
  }

  /** The model reads the result of a call. */
  answered(result: ToolResultItem): void {
    const call = this.#byCall.get(result.callId);
    if (!call) return;
    call.answer = result;
    if (call.hasItem || isOver(call)) return;
    this.#end(call, result.ok ? "completed" : "failed", { content: this.#reason(call) });
  }

  /** What has not ended by now has been stopped, except for commands that go on in the background. */
  turnEnded(): void {
    for (const call of this.#byCall.values()) {
      const goesOn = call.hasItem && call.answer?.ok === true;
      if (!isOver(call) && !goesOn) this.#end(call, "failed", {});
    }
    for (const [callId, call] of this.#byCall) if (isOver(call)) this.#byCall.delete(callId);
  }

  dispose(): void {
    for (const call of this.#byCall.values()) call.output?.dispose();
  }

  #announce(callId: string, view: CallView, name?: string): Call {
    const call = this.#new(callId, view);
    this.#options.send({
      sessionUpdate: "tool_call",
      toolCallId: call.id,
      ...view,
      ...(name === undefined ? {} : { name }),
      status: "pending",
    });
    return call;
  }

  /** Some servers count their calls anew in each answer, so that the same id comes again. */
  #new(callId: string, view: CallView): Call {
    const count = (this.#usedIds.get(callId) ?? 0) + 1;
    this.#usedIds.set(callId, count);
    const id = count === 1 ? callId : `${callId}#${count}`;
    const call: Call = { id, view, status: "pending", hasItem: false };
    this.#byCall.set(callId, call);
    return call;
  }

  #reason({ answer }: Call): ReturnType<typeof textContent>[] {
    const text = answer === undefined ? "" : textOf(answer.content).trim();
    if (text === "") return [];
    return [textContent(fenced(truncateMiddle(text, { unit: "bytes", limit: MOST_RESULT })))];
  }

  #end(call: Call, status: "completed" | "failed", change: Omit<ToolCallUpdate, "toolCallId">): void {
    call.output?.dispose();
    call.status = status;
    this.#update(call, { ...change, status });
  }

  #update(call: Call, change: Omit<ToolCallUpdate, "toolCallId">): void {
    this.#options.send({ sessionUpdate: "tool_call_update", toolCallId: call.id, ...change });
  }
}

function isOver({ status }: Call): boolean {
  return status === "completed" || status === "failed";
}

function statusOf(status: ItemStatus): "completed" | "failed" {
  return status === "completed" ? "completed" : "failed";
}
