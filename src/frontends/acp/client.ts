import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";

export type Send = (update: SessionUpdate) => void;

/** What the client can show beside the basics. */
export type ClientFacts = {
  notices: boolean;
  compaction: boolean;
  forms: boolean;
  /** Draws the output of our commands in a terminal of its own, fed through `_meta`. */
  terminalOutput: boolean;
};

/** The program at the other end. Messages to one that has gone are dropped. */
export class Client {
  readonly facts: ClientFacts;
  readonly #context: AgentContext;
  readonly #log: (line: string) => void;

  constructor(
    context: AgentContext,
    capabilities: ClientCapabilities | undefined,
    log: (line: string) => void,
  ) {
    this.#context = context;
    this.#log = log;
    this.facts = {
      notices: Boolean(capabilities?.session?.notices),
      compaction: Boolean(capabilities?.session?.compaction),
      forms: Boolean(capabilities?.elicitation?.form),
      terminalOutput: capabilities?._meta?.["terminal_output"] === true,
    };
  }

  update(sessionId: string, update: SessionUpdate): void {
    // It only fails when the connection is closed, and that ends the program elsewhere.
    this.#context.notify("session/update", { sessionId, update }).catch(() => {});
  }

  /** Something a person should know that is no part of the answer; a line on stderr where it can't be shown. */
  notice(sessionId: string, severity: "info" | "warning" | "error", title: string): void {
    if (this.facts.notices) this.update(sessionId, { sessionUpdate: "notice", severity, title });
    else this.#log(`${severity}: ${title}`);
  }

  /** Rejects at once when the signal fires, whatever the client does. */
  permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    return this.#context.request("session/request_permission", request, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    });
  }

  elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    return this.#context.request("elicitation/create", request, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    });
  }
}
