import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  CreateTerminalRequest,
  CreateTerminalResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from "@agentclientprotocol/sdk/unstable";
import type { z } from "zod";
import { AppError } from "../../util/errors.ts";
import {
  Done,
  Elicitation,
  ExitStatus,
  FileText,
  NewTerminal,
  Permission,
  TerminalOutput,
} from "./client-answers.ts";

export type TerminalPlace = Pick<TerminalOutputRequest, "sessionId" | "terminalId">;

export type Send = (update: SessionUpdate) => void;

/** What the client can show beside the basics. */
export type ClientFacts = {
  notices: boolean;
  compaction: boolean;
  forms: boolean;
  /** Shows an address to the person and opens it. */
  addresses: boolean;
  /** Has files open and reads or writes them as they are there. */
  readsFiles: boolean;
  writesFiles: boolean;
  /** Runs commands in terminals of its own. */
  terminals: boolean;
  /** Shows child agents as sessions of their own. */
  subagents: boolean;
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
      addresses: Boolean(capabilities?.elicitation?.url),
      readsFiles: capabilities?.fs?.readTextFile === true,
      writesFiles: capabilities?.fs?.writeTextFile === true,
      subagents: Boolean(capabilities?.subagents),
      terminals: capabilities?.terminal === true,
      terminalOutput: capabilities?._meta?.["terminal_output"] === true,
    };
  }

  update(sessionId: string, update: SessionUpdate): void {
    // It only fails when the connection is closed, and that ends the program elsewhere.
    this.#context.notify("session/update", { sessionId, update }).catch(() => {});
  }

  /** Something a person should know that is not part of the answer; a line on stderr where it can't be shown. */
  notice(sessionId: string, severity: "info" | "warning" | "error", title: string): void {
    if (this.facts.notices) this.update(sessionId, { sessionUpdate: "notice", severity, title });
    else this.#log(`${severity}: ${title}`);
  }

  /** Rejects at once when the signal fires, whatever the client does. */
  permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    return this.#ask(Permission, "session/request_permission", request, until(signal));
  }

  elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<Elicitation> {
    return this.#ask(Elicitation, "elicitation/create", request, until(signal));
  }

  /** What had to be done at an address is done; the client may stop showing it. */
  elicited(elicitationId: string): void {
    this.#context.notify("elicitation/complete", { elicitationId }).catch(() => {});
  }

  readFile(request: ReadTextFileRequest, signal: AbortSignal): Promise<ReadTextFileResponse> {
    return this.#ask(FileText, "fs/read_text_file", request, until(signal));
  }

  async writeFile(request: WriteTextFileRequest, signal: AbortSignal): Promise<WriteTextFileResponse> {
    await this.#ask(Done, "fs/write_text_file", request, until(signal));
    return {};
  }

  /** Not to be taken back: a terminal that is opened late has to be closed by whoever asked for it. */
  createTerminal(request: CreateTerminalRequest): Promise<CreateTerminalResponse> {
    return this.#ask(NewTerminal, "terminal/create", request);
  }

  terminalOutput(terminal: TerminalPlace): Promise<TerminalOutputResponse> {
    return this.#ask(TerminalOutput, "terminal/output", terminal);
  }

  terminalExit(terminal: TerminalPlace): Promise<WaitForTerminalExitResponse> {
    return this.#ask(ExitStatus, "terminal/wait_for_exit", terminal);
  }

  async killTerminal(terminal: TerminalPlace): Promise<void> {
    await this.#ask(Done, "terminal/kill", terminal);
  }

  async releaseTerminal(terminal: TerminalPlace): Promise<void> {
    await this.#ask(Done, "terminal/release", terminal);
  }

  async #ask<T>(schema: z.ZodType<T>, method: string, request: object, options: Until = {}): Promise<T> {
    const answer = schema.safeParse(await this.#context.request<unknown>(method, request, options));
    if (answer.success) return answer.data;
    throw new AppError(
      "tool.failed",
      `the editor's answer to ${method} has not the form that it has to have`,
    );
  }
}

type Until = { cancellationSignal?: AbortSignal; stopWaitingOnCancel?: boolean };

function until(signal: AbortSignal): Until {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
