import type { ToolCall } from "../../protocol/items.ts";
import { newCallId } from "../call-ids.ts";
import { createReplyReader, type ReplyPiece } from "../text-calls/reply-reader.ts";
import { toolInput } from "../tool-arguments.ts";
import type { ModelEvent, ModelRequest, WireTool } from "../types.ts";

const FREEFORM_PARAMETERS = { type: "object", properties: { input: { type: "string" } } };
/** Ids that a model counts itself and wants back as they are. */
const KIMI_ID = /^functions\.[\w.-]+:\d+$/;

type Written = Extract<ReplyPiece, { kind: "call" | "refused" }>;

/** The text and the thoughts of one answer, told apart as they come, and the calls that were printed in them. */
export class AnswerText {
  text = "";
  thoughts = "";
  /** Known after the end. */
  calls: ToolCall[] = [];
  readonly #reply;
  readonly #freeform: ReadonlySet<string>;
  readonly #takenIds: Set<string>;

  constructor(request: ModelRequest) {
    const tools = request.rescueToolCalls === false ? [] : request.tools.map(offered);
    this.#reply = createReplyReader({ tools });
    this.#freeform = freeformNames(request.tools);
    this.#takenIds = new Set(
      request.items.flatMap((item) => (item.type === "tool_call" ? [item.callId] : [])),
    );
  }

  push(delta: string): ModelEvent[] {
    return this.#events(this.#reply.push(delta));
  }

  pushReasoning(delta: string): ModelEvent[] {
    return this.#events(this.#reply.pushReasoning(delta));
  }

  /** `isCut`: the answer ended early; calls that only its end could confirm are not made. */
  end(isCut: boolean, hasNativeCalls: boolean): ModelEvent[] {
    const pieces = this.#reply.end({ isCut, hasNativeCalls });
    const written = pieces.filter((piece): piece is Written => "name" in piece);
    const events = this.#events(pieces);
    this.calls = written.map((call) => this.#toolCall(call));
    // What stood between the text and the markup belongs to neither.
    if (this.calls.length > 0) this.text = this.text.trimEnd();
    if (this.thoughts !== "") this.text = this.text.replace(/^\s*\n/, "");
    return events;
  }

  #events(pieces: readonly ReplyPiece[]): ModelEvent[] {
    return pieces.flatMap((piece) => this.#event(piece) ?? []);
  }

  #event(piece: ReplyPiece): ModelEvent | undefined {
    switch (piece.kind) {
      case "text":
        this.text += piece.text;
        return { type: "text", delta: piece.text };
      case "thinking":
        this.thoughts += piece.text;
        return { type: "thinking", delta: piece.text, kind: "raw" };
      case "was_thinking":
        this.thoughts += piece.text.trim();
        this.text = "";
        return undefined;
      case "call":
      case "refused":
        return undefined;
    }
  }

  /** Calls of unknown tools become calls too: their result tells the model that there is no such tool. */
  #toolCall({ name, arguments: args, id }: Written): ToolCall {
    const isOwn = id !== undefined && KIMI_ID.test(id) && !this.#takenIds.has(id);
    const callId = isOwn ? id : newCallId();
    this.#takenIds.add(callId);
    return { type: "tool_call", callId, name, input: toolInput(name, JSON.stringify(args), this.#freeform) };
  }
}

/** The names of the tools that take plain text. */
export function freeformNames(tools: readonly WireTool[]): ReadonlySet<string> {
  return new Set(tools.filter((tool) => tool.kind === "freeform").map((tool) => tool.name));
}

function offered(tool: WireTool): { name: string; parameters: Readonly<Record<string, unknown>> } {
  return { name: tool.name, parameters: tool.kind === "function" ? tool.parameters : FREEFORM_PARAMETERS };
}
