import type { LoadedConfig } from "../../config/load.ts";
import type { WatchAgents } from "../../protocol/child-agent.ts";
import type { SessionFacts } from "../../protocol/events.ts";
import type { Item } from "../../protocol/items.ts";
import { createToolMemory } from "../../tools/memory.ts";
import { planMode } from "../../tools/plan-state.ts";
import type { SessionReader, ToolMemory } from "../../tools/types.ts";
import { AppError } from "../../util/errors.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { LinkedHarness } from "../harness/harness-link.ts";
import { chooseModel, type ModelChoice } from "../model/model-choice.ts";
import { linkModel } from "../model/model-link.ts";
import { planningOf } from "../session/planning.ts";
import { Session } from "../session/session.ts";
import { sessionSettings } from "../session/session-settings.ts";
import { openThread } from "../session/thread.ts";
import { toolNews } from "../session/tool-news.ts";
import type { ToolSide } from "../session/tool-side.ts";
import type { ModelLink, SessionSettings } from "../turn/settings.ts";
import { asking } from "./deeds.ts";
import { agentDepth } from "./limits.ts";
import { freeName } from "./names.ts";
import { rightsOf } from "./rights.ts";
import { type AgentRole, readRoles } from "./roles.ts";
import type { AgentLimits, AgentPlan, ChildHost, ChildWish, OpenedChild } from "./types.ts";

export type ChildParts = {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  /** Those of the session that the user talks to. */
  facts: SessionFacts;
  isEphemeral: boolean;
  choice: ModelChoice;
  model: ModelLink;
  /** Makes a model's requests wait for each other where its server has room for one. */
  queued(link: ModelLink): ModelLink;
  child: LinkedHarness["child"];
  tools: ToolSide;
  /** Of the session that the user talks to. */
  memory: ToolMemory;
  limits: AgentLimits;
  team: AgentPlan["team"];
  sessions: SessionReader;
  onBug(cause: unknown): void;
  log(message: string): void;
  /** Shows children to somebody who can see more than one conversation. */
  watch?: WatchAgents | undefined;
  signal: AbortSignal;
};

/** Opens a child at `depth`, 1 for those of the session itself. A problem is a text for the model. */
export async function openChild(
  parts: ChildParts,
  depth: number,
  wish: ChildWish,
  host: ChildHost,
): Promise<OpenedChild | { problem: string }> {
  const { config } = parts;
  await using undo = new AsyncDisposableStack();
  const roles = await readRoles(config);
  const role = wish.kind === undefined ? undefined : roles.get(wish.kind);
  const id = wish.resume ?? uuidV7();
  const { model, choice } = await modelFor(parts, wish, role, id);
  const mayStart = depth < agentDepth(config.values);
  const harness = await parts.child({ kind: wish.kind, roles, model: choice.model, mayStart, sessionId: id });
  if ("problem" in harness) return harness;
  const thread = await threadFor(parts, { id, wish, choice, host });
  if (thread === undefined) return { problem: `there is no agent ${wish.resume}` };
  undo.use(thread.writer);
  // While the model plans, its agents change nothing either.
  const memory = createToolMemory({ of: parts.memory, keys: [planMode] });
  undo.defer(() => memory.dispose());
  const { tools } = parts;
  const name = freeName(role?.names ?? [], wish.taken);
  const settings = settingsFor(parts, { wish, role, choice, host });
  const session = new Session({
    facts: thread.facts,
    history: thread.history,
    usage: thread.usage,
    budget: {
      spend: (usage) => host.budget.spend(usage),
      get reached() {
        return host.budget.reached;
      },
      takeWarnings: () => [],
    },
    settings,
    model,
    harness: harness.link,
    freshContext: () => (harness.isWhole ? host.context() : host.context().filter(isLead)),
    calls: {
      ...tools,
      // It shows commands by calls of the session that the user talks to.
      host: undefined,
      approver: asking(tools.approver, name, id),
      context: (call) => ({ ...tools.context(call), sessionId: id, memory }),
    },
    extras: {},
    ...toolNews(memory),
    ...planningOf(memory, settings),
    ...(mayStart ? { agents: childPlan(parts, depth + 1) } : {}),
    sessions: parts.sessions,
    newTurnId: uuidV7,
    newItemId: host.newItemId,
    now: Date.now,
    onBug: parts.onBug,
    log: parts.log,
  });
  session.subscribe(thread.writer.listener);
  thread.writer.onTrouble((message) => session.warn(message));
  session.start([]);
  session.recall(wish.history);
  const kept = undo.move();
  return {
    session: withParts(session, kept),
    kind: harness.kind,
    name,
  };
}

/** What a session at `depth - 1` needs to have children. */
export function childPlan(parts: ChildParts, depth: number): AgentPlan {
  return {
    limits: parts.limits,
    team: parts.team,
    watch: parts.watch,
    open: (wish, host) => openChild(parts, depth, wish, host),
  };
}

function isLead(item: Item): boolean {
  return item.type === "message" && item.role === "developer";
}

/** Another model is one of the same provider: nothing a model or a role says leads elsewhere. */
async function modelFor(parts: ChildParts, wish: ChildWish, role: AgentRole | undefined, id: string) {
  const { config, choice, env, facts, signal } = parts;
  const wanted = wish.model ?? role?.model ?? config.values.agents?.default_subagent_model;
  if (wanted === undefined || wanted === choice.model.id) return { model: parts.model, choice };
  const values = { ...config.values, model: wanted, model_provider: choice.provider.id };
  const client = { env, originator: facts.originator, sessionId: () => id };
  const other = await chooseModel({ ...config, values, originOf: config.originOf }, client, signal);
  return { model: parts.queued(linkModel(other.provider, other.model)), choice: other };
}

type Opening = { id: string; wish: ChildWish; choice: ModelChoice; host: ChildHost };

/** Undefined when the session to go on with is not a child of this one. */
async function threadFor({ config, facts, isEphemeral }: ChildParts, { id, wish, choice, host }: Opening) {
  const own: SessionFacts = {
    ...facts,
    id,
    createdAt: new Date().toISOString(),
    provider: choice.provider.id,
    model: choice.model.id,
    parent: host.sessionId,
    title: wish.description,
  };
  if (wish.resume === undefined) return await openThread(config.home, { kind: "new", id }, isEphemeral, own);
  try {
    const thread = await openThread(config.home, { kind: "resume", id }, isEphemeral, own);
    if (thread.facts.parent === host.sessionId) return thread;
    await thread.writer[Symbol.asyncDispose]();
    return undefined;
  } catch (cause) {
    if (cause instanceof AppError && cause.code === "session.not_found") return undefined;
    throw cause;
  }
}

type SettingsWish = { wish: ChildWish; role: AgentRole | undefined; choice: ModelChoice; host: ChildHost };

function settingsFor({ config }: ChildParts, { wish, role, choice, host }: SettingsWish): SessionSettings {
  const { approvals, sandbox, sandboxMode, outputSchema: _, effort: parentEffort, ...rest } = host.settings;
  const effort =
    wish.effort ?? role?.effort ?? config.values.agents?.default_subagent_reasoning_effort ?? parentEffort;
  const { compactAt, keptUserTokens } = sessionSettings({
    config,
    cwd: rest.cwd,
    posture: { approvals, sandbox, sandboxMode },
    model: choice.model,
    compactPrompt: rest.compactPrompt,
    outputSchema: undefined,
  });
  const own = { ...rest, compactAt, keptUserTokens, hideReasoning: true, ...(effort ? { effort } : {}) };
  // Its rights are asked for anew at each call: a copy would keep what the user has taken back.
  return Object.assign(rightsOf(host.settings, role?.sandboxMode, config.home), own);
}

function withParts(session: Session, kept: AsyncDisposable): OpenedChild["session"] {
  return {
    id: session.id,
    get items() {
      return session.items;
    },
    subscribe: (listener) => session.subscribe(listener),
    submit: (input) => session.submit(input),
    interrupt: () => session.interrupt(),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await kept[Symbol.asyncDispose]();
    },
  };
}
