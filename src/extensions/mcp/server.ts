import { sleep } from "../../util/async.ts";
import type { McpServerConfig } from "./config.ts";
import type { ChangedList, Connection } from "./connect.ts";
import type { Request } from "./exchange.ts";
import { type Listed, type ListedTool, listTools } from "./listing.ts";
import { type ListedPrompt, listPrompts } from "./prompts.ts";
import { settles } from "./settle.ts";

export type Connect = (
  onChanged: (list: ChangedList) => void,
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<Connection>;

export type ServerState = "starting" | "ready" | "failed";

const REFRESH_PAUSE_MS = 250;

const NO_TOOLS: Listed<ListedTool> = { entries: [], faults: [] };

/** A configured server with a life: it starts, lists its tools, may die and is started again, and ends with the session. */
export class McpServer {
  readonly name: string;
  readonly config: McpServerConfig;
  state: ServerState = "starting";
  /** Why it is not ready. */
  reason = "";
  tools: readonly ListedTool[] = [];
  prompts: readonly ListedPrompt[] = [];
  /** How long it took until it was ready. */
  startedMs = 0;
  hasResources = false;
  /** Called when `tools` or `prompts` are others than before. */
  onChange: () => void = () => {};
  /** Has a sign-in been kept, renewed or forgotten since the last look? */
  hasNewSignIn: () => boolean = () => false;
  readonly #connect: Connect;
  readonly #closing = new AbortController();
  #connection: Promise<Connection> | undefined;
  #living: Connection | undefined;
  #listFaults: readonly string[] = [];
  readonly #stale = new Set<ChangedList>();
  #refreshing: Promise<void> | undefined;
  /** How it died, until it has answered again. A second death in a row is final. */
  #death: string | undefined;
  #deaths = 0;

  constructor(name: string, config: McpServerConfig, connect: Connect) {
    this.name = name;
    this.config = config;
    this.#connect = connect;
  }

  /** Starts the server. Never rejects: the outcome is in `state` and `reason`. */
  async start(signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#open(signal);
      this.startedMs = Math.round(performance.now() - startedAt);
      this.state = "ready";
    } catch (cause) {
      this.state = "failed";
      this.reason = cause instanceof Error ? cause.message : String(cause);
    }
  }

  /** Tries a server again that could not be started, if the person has signed in somewhere since. Comes back at once. */
  wake(): void {
    if (this.state !== "failed" || this.isClosing || !this.hasNewSignIn()) return;
    this.state = "starting";
    void this.start(this.#closing.signal);
  }

  /** The living connection; starts a dead server again, once. Rejects with the reason in words. */
  async connection(signal: AbortSignal): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection;
    if (this.state !== "ready") throw new Error(`MCP server ${this.name} is not ready: ${this.reason}`);
    if (this.#deaths > 1)
      throw new Error(
        `MCP server ${this.name} ${this.#death}. It died twice in a row and is not started again`,
      );
    return this.#open(signal);
  }

  /** Sends a request. When the server has forgotten us before it carried it out, the request is sent once more. */
  async request<T>(call: Request<T>, signal: AbortSignal): Promise<T> {
    const connection = await this.connection(signal);
    const answer = await this.#send(connection, call, signal);
    this.#deaths = 0;
    // New tools are often announced right before the answer: the next request to the model should have them.
    if (this.#refreshing !== undefined) await settles(this.#refreshing, 1_000);
    return answer;
  }

  async #send<T>(connection: Connection, call: Request<T>, signal: AbortSignal): Promise<T> {
    try {
      return await connection.request(call, signal);
    } catch (cause) {
      if (!connection.hasLostSession(cause)) throw cause;
      this.#connection = undefined;
      await connection.close();
      return (await this.connection(signal)).request(call, signal);
    }
  }

  /** What is wrong with it although it works, in words. */
  faults(): string[] {
    const lines = this.#living?.strayLines() ?? 0;
    const stray =
      lines === 1
        ? "a line of its output was not a message, and was left out"
        : `${lines} lines of its output were not messages, and were left out`;
    return [
      ...this.#listFaults,
      ...(lines === 0 ? [] : [stray]),
      ...(this.#deaths === 0 || this.#death === undefined ? [] : [`it ${this.#death}`]),
    ];
  }

  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.state = "failed";
    this.reason = "it was stopped";
    try {
      const connection = await this.#connection;
      await connection?.close();
    } catch {
      // It never came up.
    }
  }

  #open(signal: AbortSignal): Promise<Connection> {
    const opening = this.#openNow(AbortSignal.any([signal, this.#closing.signal]));
    this.#connection = opening;
    opening.catch(() => {
      if (this.#connection === opening) this.#connection = undefined;
    });
    return opening;
  }

  async #openNow(signal: AbortSignal): Promise<Connection> {
    const { startupMs: timeoutMs } = this.config;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    let connection: Connection | undefined;
    try {
      connection = await this.#connect((list) => this.#refresh(list), timeoutMs, deadline);
      const [tools, prompts] = await Promise.all([
        connection.hasTools ? listTools(connection, deadline) : NO_TOOLS,
        // A server is of use without its prompts.
        connection.hasPrompts ? listPrompts(connection, deadline).catch(() => []) : [],
      ]);
      this.#keepTools(tools);
      this.prompts = prompts;
    } catch (cause) {
      await connection?.close();
      if (deadline.aborted && !signal.aborted)
        throw new Error(`it was not ready in time (${timeoutMs / 1000} s); raise startup_timeout_sec`, {
          cause,
        });
      throw cause;
    }
    this.#living = connection;
    this.hasResources = connection.hasResources;
    this.#watch(connection);
    this.onChange();
    return connection;
  }

  #keepTools({ entries, faults }: Listed<ListedTool>): void {
    this.tools = entries;
    this.#listFaults = faults;
  }

  #watch(connection: Connection): void {
    void connection.closed.then(async (how) => {
      const current = await this.#connection?.catch(() => undefined);
      if (current !== connection || this.isClosing) return;
      this.#connection = undefined;
      this.#death = how;
      this.#deaths += 1;
    });
  }

  /** However often a server says that a list has changed, it is asked for it once at a time, and with pauses. */
  #refresh(list: ChangedList): void {
    this.#stale.add(list);
    this.#refreshing ??= this.#refreshAll().finally(() => {
      this.#refreshing = undefined;
    });
  }

  async #refreshAll(): Promise<void> {
    while (this.#stale.size > 0 && !this.isClosing) {
      const lists = [...this.#stale];
      this.#stale.clear();
      await Promise.all(lists.map((list) => this.#refreshNow(list)));
      if (this.#stale.size > 0) await sleep(REFRESH_PAUSE_MS, this.#closing.signal).catch(() => {});
    }
  }

  async #refreshNow(list: ChangedList): Promise<void> {
    try {
      const connection = await this.#connection;
      if (!connection) return;
      if (list === "tools") this.#keepTools(await listTools(connection, this.#closing.signal));
      else this.prompts = await listPrompts(connection, this.#closing.signal);
      this.onChange();
    } catch {
      // The old list stays.
    }
  }
}
