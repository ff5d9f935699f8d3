import { isAbsolute } from "node:path";
import type {
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  NewSessionRequest,
  SessionConfigOption,
  SessionModeState,
} from "@agentclientprotocol/sdk/unstable";
import type { LoadedConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import { removeSession, renameSession, sessionsToChoose } from "../../core/choices/sessions.ts";
import type { OpenedSession, OpenOptions } from "../../core/runtime.ts";
import type { ThreadChoice } from "../../core/session/thread.ts";
import { factsOf } from "../../util/fs.ts";
import { uuidV7 } from "../../util/ids.ts";
import { choiceAsker } from "./asked-choices.ts";
import type { Client } from "./client.ts";
import { ClientTerminals } from "./client-terminals.ts";
import { invalidParams, ofSaved, unknownSession } from "./errors.ts";
import { serverOverrides } from "./mcp-servers.ts";
import { OpenFiles } from "./open-files.ts";
import { approverOf } from "./permissions.ts";
import { askerOf } from "./questions.ts";
import { AcpSession, type OpenParts } from "./session.ts";
import { Subagents } from "./subagents.ts";
import { instructionsOf } from "./system-prompt.ts";
import { titleText } from "./texts.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type SessionsHost = {
  client: Client;
  env: Env;
  /** The settings for a folder, with changes on top of the command line's. */
  settings(cwd: string, changes: readonly Override[]): Promise<LoadedConfig>;
  /** Ends what is still starting. */
  signal: AbortSignal;
};

/** What a client says of a session that it wants. */
export type Place = Pick<NewSessionRequest, "cwd" | "additionalDirectories" | "systemPrompt"> &
  Partial<Pick<LoadSessionRequest, "mcpServers">>;
export type SessionAnswer = { modes: SessionModeState; configOptions: SessionConfigOption[] };

const PAGE = 50;

/** The open sessions of one client. They share nothing. */
export class Sessions implements AsyncDisposable {
  readonly #host: SessionsHost;
  readonly #open = new Map<string, AcpSession>();
  /** By the id of the session whose children they are. */
  readonly #subagents = new Map<string, Subagents>();

  constructor(host: SessionsHost) {
    this.#host = host;
  }

  /** Throws RequestError when there is no such session. */
  get(id: string): AcpSession {
    const session = this.#open.get(id);
    if (!session) throw unknownSession(id);
    return session;
  }

  cancel(id: string): void {
    this.#open.get(id)?.cancel();
    for (const subagents of this.#subagents.values()) subagents.cancel(id);
  }

  async create(place: Place): Promise<SessionAnswer & { sessionId: string }> {
    const sessionId = uuidV7();
    const session = await this.#start(sessionId, place, { kind: "new", id: sessionId });
    return { sessionId, ...session.facts() };
  }

  /** `replays`: the client wants to see what was said. */
  async restore(id: string, place: Place, replays: boolean): Promise<SessionAnswer> {
    checkFolder(place.cwd);
    // The record has one writer: a session that is open here is closed first.
    const wasNew = this.#open.get(id)?.hasBegun === false;
    await this.close(id);
    const thread: ThreadChoice = wasNew ? { kind: "new", id } : { kind: "resume", id };
    const session = await ofSaved(id, () => this.#start(id, place, thread));
    if (replays) session.replay();
    return session.facts();
  }

  async fork(source: string, place: Place): Promise<SessionAnswer & { sessionId: string }> {
    const isEmpty = this.#open.get(source)?.hasBegun === false;
    if (isEmpty) return await this.create(place);
    const sessionId = uuidV7();
    const thread: ThreadChoice = { kind: "fork", id: source, as: sessionId };
    const session = await ofSaved(source, () => this.#start(sessionId, place, thread));
    return { sessionId, ...session.facts() };
  }

  async close(id: string): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.[Symbol.asyncDispose]();
    this.#subagents.get(id)?.dispose();
    this.#subagents.delete(id);
  }

  /** Ends the session and removes its record. */
  async delete(id: string): Promise<void> {
    const isEmpty = this.#open.get(id)?.hasBegun === false;
    await this.close(id);
    if (isEmpty) return;
    const { home } = await this.#host.settings("/", []);
    await ofSaved(id, () => removeSession(home, id));
  }

  async rename(id: string, title: string): Promise<void> {
    const { home } = await this.#host.settings("/", []);
    await ofSaved(id, () => renameSession(home, id, title));
    if (this.#open.has(id)) this.#host.client.update(id, { sessionUpdate: "session_info_update", title });
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { home } = await this.#host.settings(cwd ?? "/", []);
    const found = await sessionsToChoose(home, cwd ?? undefined);
    const start = Number(cursor ?? 0);
    if (!Number.isInteger(start) || start < 0) throw invalidParams(`unknown cursor ${cursor}`);
    const end = start + PAGE;
    return {
      sessions: found.slice(start, end).map(({ id, name, cwd: folder, updatedAt }) => ({
        sessionId: id,
        cwd: folder,
        title: titleText(name),
        updatedAt: new Date(updatedAt).toISOString(),
      })),
      ...(end < found.length ? { nextCursor: String(end) } : {}),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ids = [...this.#open.keys()];
    await Promise.allSettled(ids.map((id) => this.close(id)));
  }

  async #start(id: string, place: Place, thread: ThreadChoice): Promise<AcpSession> {
    const { client, env } = this.#host;
    const { cwd } = place;
    checkFolder(cwd);
    const instructions = instructionsOf(place.systemPrompt);
    const own = [...serverOverrides(place.mcpServers ?? []), ...addedFolders(place.additionalDirectories)];
    const files = new OpenFiles(client, id, cwd);
    const { editor } = files;
    if (client.facts.subagents) this.#subagents.set(id, new Subagents(client, cwd));
    const host = {
      client,
      env,
      files,
      settings: (changes: readonly Override[]) => this.#host.settings(cwd, [...own, ...changes]),
      open: (config: LoadedConfig, choice: ThreadChoice, parts: OpenParts) =>
        this.#openSession({ config, cwd, thread: choice, instructions, editor }, parts),
    };
    const session = await AcpSession.start(host, { id, cwd, thread });
    if (this.#host.signal.aborted) await session[Symbol.asyncDispose]();
    else this.#open.set(id, session);
    // The client must know the id before it hears of it: an answer is written within this turn of the event loop.
    setTimeout(() => session.announce(), 0);
    return session;
  }

  async #openSession(
    wanted: Pick<OpenOptions, "config" | "cwd" | "thread" | "instructions" | "editor">,
    { updates, sessionId }: OpenParts,
  ): Promise<OpenedSession> {
    const { client, env, signal } = this.#host;
    const subagents = this.#subagents.get(sessionId);
    // Building a session loads most of the program, and a client asks who we are first.
    const { openSession } = await import("../../core/runtime.ts");
    const opened = await openSession({
      ...wanted,
      env,
      source: "acp",
      isEphemeral: false,
      approver: approverOf(client, { sessionId, calls: updates.calls }, (id) => subagents?.placeOf(id)),
      watchAgents: subagents && ((agent) => subagents.show(agent)),
      host: client.facts.terminals
        ? new ClientTerminals({ client, sessionId, calls: updates.calls })
        : undefined,
      asker: client.facts.forms ? askerOf(client, sessionId) : choiceAsker(client, sessionId),
      extras: {},
      signal,
    });
    opened.session.subscribe((event) => {
      updates.take(event);
      const isStep = event.type === "history.appended" || event.type === "turn.completed";
      if (isStep) this.#open.get(sessionId)?.notePlanning();
    });
    opened.session.start([]);
    return opened;
  }
}

function checkFolder(cwd: string): void {
  if (!isAbsolute(cwd)) throw invalidParams(`the working directory must be absolute, found ${cwd}`);
  const found = factsOf(cwd);
  if (!found?.isDirectory())
    throw invalidParams(`the working directory ${cwd} ${found ? "is not a directory" : "does not exist"}`);
}

function addedFolders(folders: readonly string[] | undefined): Override[] {
  if (!folders || folders.length === 0) return [];
  const relative = folders.find((folder) => !isAbsolute(folder));
  if (relative !== undefined)
    throw invalidParams(`additional directories must be absolute, found ${relative}`);
  const path = ["sandbox_workspace_write", "writable_roots"];
  return [{ path, option: "additionalDirectories", append: folders }];
}
