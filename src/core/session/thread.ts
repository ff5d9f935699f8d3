import type { SessionFacts } from "../../protocol/events.ts";
import { NO_USAGE } from "../../protocol/usage.ts";
import type { OpenedSession, SessionStore } from "../../sessions/types.ts";
import { AppError } from "../../util/errors.ts";

export type ThreadChoice =
  /** `id`: under this id, which nobody has yet, instead of a fresh one. */
  | { kind: "new"; id?: string }
  | { kind: "resume"; id: string }
  | { kind: "last"; all: boolean }
  /** `as`: the id of the copy, in place of a fresh one. `dropTurns`: how many of the last turns are left out. */
  | { kind: "fork"; id: string; as?: string; dropTurns?: number };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A new session, or an earlier one to go on with. Ephemeral ones are read from the same files and written nowhere. Throws
 * AppError "session.not_found" for an id that nobody has.
 */
export async function openThread(
  home: string,
  choice: ThreadChoice,
  isEphemeral: boolean,
  facts: SessionFacts,
): Promise<OpenedSession> {
  if (choice.kind === "new" && isEphemeral) {
    const { createEphemeralStore } = await import("../../sessions/ephemeral.ts");
    return fresh(createEphemeralStore(), facts);
  }
  const { createSessionStore } = await import("../../sessions/store.ts");
  const thread = await open(createSessionStore({ home }), choice, facts);
  if (!isEphemeral) return thread;
  await thread.writer[Symbol.asyncDispose]();
  const { createEphemeralStore } = await import("../../sessions/ephemeral.ts");
  return { ...thread, writer: createEphemeralStore().create(thread.facts) };
}

async function open(store: SessionStore, choice: ThreadChoice, facts: SessionFacts): Promise<OpenedSession> {
  switch (choice.kind) {
    case "new":
      return fresh(store, facts);
    case "fork":
      return store.fork(choice.id, facts, choice.dropTurns);
    case "resume":
      return resume(store, choice.id);
    case "last": {
      const [newest] = await store.list({ limit: 1, ...(choice.all ? {} : { cwd: facts.cwd }) });
      return newest ? store.open(newest.id) : fresh(store, facts);
    }
  }
}

/** One line for the user when a session file could not be used whole. */
export function damageWarnings({ damage, writer }: OpenedSession): string[] {
  const { lines, repairedCalls } = damage;
  const problems = [
    ...(lines > 0 ? [`${lines} line${lines === 1 ? "" : "s"} could not be read`] : []),
    ...(repairedCalls > 0
      ? [`${repairedCalls} tool call${repairedCalls === 1 ? "" : "s"} had no result`]
      : []),
  ];
  return problems.length === 0 ? [] : [`the session file ${writer.path} was damaged: ${problems.join(", ")}`];
}

async function resume(store: SessionStore, id: string): Promise<OpenedSession> {
  try {
    return await store.open(id);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "session.not_found") throw cause;
    const kind = UUID.test(id) ? "thread id" : "name or id";
    throw new AppError("session.not_found", `no rollout found for ${kind} ${id}`, {
      hint: "use --last for the newest session of this directory, with --all of every directory",
      cause,
    });
  }
}

function fresh(store: SessionStore, facts: SessionFacts): OpenedSession {
  return {
    facts,
    history: [],
    usage: NO_USAGE,
    answers: 0,
    damage: { lines: 0, repairedCalls: 0 },
    writer: store.create(facts),
  };
}
