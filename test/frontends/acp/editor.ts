import { readFile, writeFile } from "node:fs/promises";
import {
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  client,
  type InitializeResponse,
  type NewSessionResponse,
  ndJsonStream,
  type PermissionOptionKind,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { TempHome } from "../../support/home.ts";
import { program } from "../../support/run.ts";
import { EditorTerminals } from "./editor-terminals.ts";

export type ToolCallState = { id: string; title?: string; kind?: string; statuses: string[]; text: string };
/** The option kind to choose, or to take the question back, or to leave it open. */
export type Answer = PermissionOptionKind | "cancelled" | "hold";

/** The program as an editor runs it, with what it has sent so far. */
export class Editor implements AsyncDisposable {
  readonly updates: { sessionId: string; update: SessionUpdate }[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  /** Answers to permission requests in order; the last one stays. */
  answers: Answer[] = ["allow_once"];
  readonly forms: CreateElicitationRequest[] = [];
  /** Text that is not saved, by path, and what the program has written through the editor. */
  readonly unsaved = new Map<string, string>();
  readonly written = new Map<string, string>();
  readonly terminals = new EditorTerminals();
  readonly exited: Promise<number>;
  readonly #cwd: string;
  readonly #connection: ClientConnection;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #watchers = new Set<() => void>();
  readonly #held: (() => void)[] = [];

  constructor(home: TempHome, args: readonly string[] = []) {
    this.#cwd = home.cwd;
    this.#child = Bun.spawn([...program(), "acp", ...args], {
      cwd: home.cwd,
      env: home.env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    this.exited = this.#child.exited;
    const { stdin } = this.#child;
    const input = new WritableStream<Uint8Array>({
      async write(bytes) {
        stdin.write(bytes);
        await stdin.flush();
      },
    });
    this.#connection = this.#app().connect(ndJsonStream(input, this.#child.stdout));
    this.#connection.closed.catch(() => {});
  }

  async initialize(clientCapabilities: ClientCapabilities = {}): Promise<InitializeResponse> {
    return await this.#connection.agent.request("initialize", { protocolVersion: 1, clientCapabilities });
  }

  async newSession(more: Record<string, unknown> = {}): Promise<NewSessionResponse> {
    const params = { cwd: this.#cwd, mcpServers: [], ...more };
    return await this.#connection.agent.request("session/new", params);
  }

  /** Initializes and opens a session; its id. */
  async open(more: Record<string, unknown> = {}): Promise<string> {
    await this.initialize();
    return (await this.newSession(more)).sessionId;
  }

  async prompt(sessionId: string, text: string): Promise<PromptResponse> {
    return await this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** The signal takes the request back. */
  request<T>(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<T> {
    return this.#connection.agent.request<T>(method, params, signal ? { cancellationSignal: signal } : {});
  }

  async cancel(sessionId: string): Promise<void> {
    await this.#connection.agent.notify("session/cancel", { sessionId });
    for (const release of this.#held.splice(0)) release();
  }

  of(sessionId: string, kind: SessionUpdate["sessionUpdate"]): SessionUpdate[] {
    return this.updates.flatMap(({ sessionId: id, update }) =>
      id === sessionId && update.sessionUpdate === kind ? [update] : [],
    );
  }

  /** What the agent has said, or thought, or what it says the user said. */
  text(
    sessionId: string,
    kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" = "agent_message_chunk",
  ): string {
    return this.of(sessionId, kind)
      .map((update) =>
        update.sessionUpdate === kind && update.content.type === "text" ? update.content.text : "",
      )
      .join("");
  }

  toolCalls(sessionId: string): ToolCallState[] {
    const calls = new Map<string, ToolCallState>();
    for (const { sessionId: id, update } of this.updates) {
      if (id !== sessionId) continue;
      if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") continue;
      const call = calls.get(update.toolCallId) ?? { id: update.toolCallId, statuses: [], text: "" };
      calls.set(call.id, call);
      if (update.title) call.title = update.title;
      if (update.kind) call.kind = update.kind;
      if (update.status && update.status !== call.statuses.at(-1)) call.statuses.push(update.status);
      const texts = (update.content ?? []).map((part) =>
        part.type === "content" && part.content.type === "text" ? part.content.text : "",
      );
      if (update.content) call.text = texts.join("");
    }
    return [...calls.values()];
  }

  /** Resolves when something that has come makes `isThere` true. */
  until(isThere: () => boolean): Promise<void> {
    if (isThere()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = () => {
        if (!isThere()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  /** Asks the program to end; resolves when it has. */
  async end(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal);
    await this.exited;
  }

  /** Closes the program's input; the exit code. */
  async leave(): Promise<number> {
    await this.#child.stdin.end();
    return await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    this.terminals.dispose();
    await this.exited;
  }

  #app() {
    return (
      client({ name: "test" })
        .onNotification("session/update", ({ params }) => {
          this.updates.push(params);
          for (const look of [...this.#watchers]) look();
        })
        .onRequest("session/request_permission", async ({ params }) => {
          this.questions.push(params);
          for (const look of [...this.#watchers]) look();
          const wanted = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
          if (wanted === "hold") await new Promise<void>((resolve) => this.#held.push(resolve));
          const option = params.options.find(({ kind }) => kind === wanted);
          return option
            ? { outcome: { outcome: "selected", optionId: option.optionId } }
            : { outcome: { outcome: "cancelled" } };
        })
        // A person who accepts every form as it is.
        .onRequest("elicitation/create", ({ params }) => {
          this.forms.push(params);
          return { action: "accept", content: {} };
        })
        .onRequest("fs/read_text_file", async ({ params: { path } }) => ({
          content: this.unsaved.get(path) ?? (await readFile(path, "utf8")),
        }))
        .onRequest("fs/write_text_file", async ({ params: { path, content } }) => {
          this.written.set(path, content);
          this.unsaved.delete(path);
          await writeFile(path, content);
          return {};
        })
        .onRequest("terminal/create", async ({ params }) => await this.terminals.create(params))
        .onRequest("terminal/output", ({ params }) => this.terminals.output(params.terminalId))
        .onRequest("terminal/wait_for_exit", ({ params }) => this.terminals.exit(params.terminalId))
        .onRequest("terminal/kill", ({ params }) => {
          this.terminals.kill(params.terminalId);
          return {};
        })
        .onRequest("terminal/release", ({ params }) => {
          this.terminals.release(params.terminalId);
          return {};
        })
    );
  }
}
