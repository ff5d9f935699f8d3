import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

/** One `tools/call` of the client, as the conversation behind it sees it. */
export type Call = {
  requestId: string | number;
  /** Aborted when the client cancels the call or goes away. */
  signal: AbortSignal;
  /** Somebody at the client can be asked. */
  canAsk: boolean;
  /** They can be shown an address to open. */
  canVisit: boolean;
  /** Sends a `codex/event`. */
  event(threadId: string, msg: CodexMessage): void;
  /** Reports that the work goes on; nothing happens when the client did not ask for it. */
  progress(message?: string): void;
  /** Asks the person at the client. Rejects when no answer can be had. */
  elicit(params: Record<string, unknown>, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Resolves when everything sent so far is on its way. */
  flushed(): Promise<void>;
};

export type CodexMessage = { type: string } & Record<string, unknown>;

/** MCP defines `action`; clients of similar servers answer with `decision`, some of them with nothing else. */
const ElicitAnswer = z.looseObject({ action: z.string().optional(), decision: z.unknown().optional() });
export type ElicitAnswer = z.infer<typeof ElicitAnswer>;

/** A person may take their time; timers hold 31 bits. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

export function callOf(server: Server, { mcpReq }: ServerContext): Call {
  const { id: requestId, signal, _meta: meta } = mcpReq;
  const token = meta?.progressToken;
  let events = 0;
  let progress = 0;
  let sent = Promise.resolve();
  const send = (method: string, params: Record<string, unknown>): void => {
    // Whoever went away hears nothing: there is nobody to tell.
    sent = server.notification({ method, params }).catch(() => undefined);
  };
  return {
    requestId,
    signal,
    canAsk: server.getClientCapabilities()?.elicitation !== undefined,
    canVisit: server.getClientCapabilities()?.elicitation?.url !== undefined,
    event(threadId, msg) {
      events += 1;
      send("codex/event", { _meta: { requestId, threadId }, id: String(events), msg });
    },
    progress(message) {
      if (token === undefined) return;
      progress += 1;
      send("notifications/progress", {
        progressToken: token,
        progress,
        ...(message === undefined ? {} : { message }),
      });
    },
    elicit: (params, asking) =>
      mcpReq.send({ method: "elicitation/create", params }, ElicitAnswer, {
        signal: asking,
        timeout: NO_TIMEOUT_MS,
      }),
    flushed: () => sent,
  };
}
