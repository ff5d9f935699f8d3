import { resolve } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { type Override, parseKeyPath } from "../../config/overrides.ts";
import { findHome } from "../../config/paths.ts";
import { sessionsToChoose } from "../../core/choices/sessions.ts";
import { type OpenOptions, openSession } from "../../core/runtime.ts";
import type { Io } from "../../protocol/program.ts";
import { AppError } from "../../util/errors.ts";
import { factsOf } from "../../util/fs.ts";
import { elicitingApprover } from "./approver.ts";
import { elicitingAsker } from "./asker.ts";
import type { Call } from "./call.ts";
import { Calls, Thread } from "./thread.ts";
import type { ReplyInput, StartInput } from "./tools.ts";

export type ThreadsOptions = {
  io: Pick<Io, "env" | "cwd">;
  /** Of the command line of the server; a call's own settings stand above them. */
  overrides: readonly Override[];
  profile: string | undefined;
};

type Wanted = {
  cwd: string;
  overrides: readonly Override[];
  profile: string | undefined;
  thread: OpenOptions["thread"];
  instructions?: OpenOptions["instructions"];
};

/** The conversations of one client. They go on until the client leaves. */
export class Threads implements AsyncDisposable {
  readonly #options: ThreadsOptions;
  readonly #open = new Map<string, Promise<Thread>>();
  readonly #leaving = new AbortController();

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  /** Begins a conversation. Throws AppError. */
  async start(input: StartInput, call: Call): Promise<Thread> {
    const cwd = checkedFolder(resolve(this.#options.io.cwd, input.cwd ?? "."));
    const base = input["base-instructions"];
    const profile = input.profile ?? this.#options.profile;
    const overrides = [...this.#options.overrides, ...callOverrides(input)];
    const instructions = base === undefined ? {} : { base };
    const wanted = { cwd, profile, overrides, instructions, thread: { kind: "new" } } as const;
    return this.#keep(await this.#openThread(wanted, call));
  }

  /** A conversation to go on with: one of this client, or an earlier one from its file. Throws AppError. */
  find({ threadId, conversationId }: ReplyInput, call: Call): Promise<Thread> {
    const id = threadId ?? conversationId;
    if (id === undefined)
      throw new AppError("usage", "threadId is missing", { hint: "take it from the answer to go on with" });
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const opening = this.#resume(id, call);
    this.#open.set(id, opening);
    opening.catch(() => this.#open.delete(id));
    return opening;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    const ends = [...this.#open.values()].map(async (opening) => (await opening)[Symbol.asyncDispose]());
    await Promise.allSettled(ends);
  }

  async #resume(id: string, call: Call): Promise<Thread> {
    const home = await findHome(this.#options.io.env);
    const earlier = (await sessionsToChoose(home, undefined)).find((session) => session.id === id);
    if (earlier === undefined)
      throw new AppError("session.not_found", `there is no thread ${id}`, {
        hint: "start a new one, or take the threadId from an earlier answer",
      });
    const { overrides, profile } = this.#options;
    const thread = { kind: "resume", id } as const;
    return this.#openThread({ cwd: checkedFolder(earlier.cwd), overrides, profile, thread }, call);
  }

  async #openThread({ cwd, overrides, profile, thread, instructions }: Wanted, call: Call): Promise<Thread> {
    const { env } = this.#options.io;
    const config = await loadConfig({ env, cwd, overrides, profile });
    const calls = new Calls();
    let id = "";
    const asked = {
      get id() {
        return id;
      },
      newestCall: () => calls.newest(),
    };
    // A call that is cancelled later must not end what the conversation goes on to use.
    using opening = whileOpening([call.signal, this.#leaving.signal]);
    const opened = await openSession({
      config,
      env,
      cwd,
      source: "mcp",
      thread,
      instructions,
      isEphemeral: false,
      approver: call.canAsk ? elicitingApprover(asked) : undefined,
      asker: call.canAsk ? elicitingAsker(asked, { addresses: call.canVisit }) : undefined,
      extras: {},
      signal: opening.signal,
    });
    id = opened.session.id;
    return new Thread(opened, calls);
  }

  #keep(thread: Thread): Thread {
    this.#open.set(thread.id, Promise.resolve(thread));
    return thread;
  }
}

/** A signal that follows others until it is disposed of. */
function whileOpening(signals: readonly AbortSignal[]): { signal: AbortSignal } & Disposable {
  const control = new AbortController();
  const stop = () => control.abort();
  for (const signal of signals) {
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
  }
  return {
    signal: control.signal,
    [Symbol.dispose]() {
      for (const signal of signals) signal.removeEventListener("abort", stop);
    },
  };
}

function callOverrides(input: StartInput): Override[] {
  const plain = {
    model: input.model,
    sandbox_mode: input.sandbox,
    approval_policy: input["approval-policy"],
    instructions: input["developer-instructions"],
    compact_prompt: input["compact-prompt"],
  };
  return [
    ...Object.entries(input.config ?? {}).map(([key, value]) => override(key, value)),
    ...Object.entries(plain).flatMap(([key, value]) => (value === undefined ? [] : override(key, value))),
  ];
}

function override(key: string, value: unknown): Override {
  return { path: parseKeyPath(key), option: "the tool call", set: value };
}

function checkedFolder(path: string): string {
  const found = factsOf(path);
  if (found?.isDirectory()) return path;
  const problem = found ? "is not a directory" : "does not exist";
  throw new AppError("config", `the working directory ${path} ${problem}`, { hint: "name another cwd" });
}
