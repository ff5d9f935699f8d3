import { join } from "node:path";
import type { LoadedConfig } from "../config/load.ts";
import { skillCatalog } from "../extensions/skills/catalog.ts";
import type { JsonSchema } from "../model/types.ts";
import type { Approver } from "../protocol/approvals.ts";
import type { WatchAgents } from "../protocol/child-agent.ts";
import type { CommandHost } from "../protocol/command-host.ts";
import type { Editor } from "../protocol/editor.ts";
import type { SessionFacts } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import type { Asker } from "../protocol/questions.ts";
import type { Usage } from "../protocol/usage.ts";
import type { ModelInfo, Provider } from "../providers/types.ts";
import { createToolMemory } from "../tools/memory.ts";
import { userShell } from "../tools/shell/detect.ts";
import { ProgramFolder } from "../tools/shell/program-folder.ts";
import type { SkillEntry } from "../tools/types.ts";
import { uuidV7 } from "../util/ids.ts";
import { fileLog } from "../util/log.ts";
import { VERSION } from "../util/package.ts";
import { agentDepth } from "./agents/limits.ts";
import { agentPlan, requestQueue, rolesText } from "./agents/plan.ts";
import { harnessHome, harnessWire, routeHarness } from "./harness/harness-choice.ts";
import { linkHarness } from "./harness/harness-link.ts";
import { chooseModel } from "./model/model-choice.ts";
import { linkModel } from "./model/model-link.ts";
import { contextSource, projectInstructions } from "./prompt-context/context-source.ts";
import { type Instructions, readCompactPrompt, readInstructions } from "./prompt-context/instructions.ts";
import { budgetOf } from "./session/budget-limits.ts";
import { type Inside, insideOf } from "./session/inside.ts";
import { startMcpServers } from "./session/mcp-servers.ts";
import { planningOf } from "./session/planning.ts";
import { postureOf } from "./session/posture.ts";
import { Session } from "./session/session.ts";
import { sessionReader } from "./session/session-reader.ts";
import { sessionSettings, toolFlags } from "./session/session-settings.ts";
import { mentionedItems, sessionSkills, skillsText, withoutBundled } from "./session/skills.ts";
import { damageWarnings, openThread, type ThreadChoice } from "./session/thread.ts";
import { toolNews } from "./session/tool-news.ts";
import { toolSide } from "./session/tool-side.ts";
import { type UserSide, userSide } from "./session/user-side.ts";
import type { SessionSettings, TurnExtras } from "./turn/settings.ts";
import { wakeupsOf } from "./turn/wakeup-wait.ts";

export type OpenOptions = {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  cwd: string;
  source: SessionFacts["source"];
  thread: ThreadChoice;
  /** Keep nothing on disk. */
  isEphemeral: boolean;
  /** Answers what policy wants to ask; without one, nobody can be asked. */
  approver?: Approver | undefined;
  /** Answers questions of the model; without one, it decides for itself. */
  asker?: Asker | undefined;
  /** Where the person has files open. */
  editor?: Editor | undefined;
  /** Runs the commands of a session without a sandbox in our place. */
  host?: CommandHost | undefined;
  /** Follows child agents as conversations of their own. */
  watchAgents?: WatchAgents | undefined;
  outputSchema?: JsonSchema | undefined;
  /** Stand above those of the settings: `base` in their place, `extra` after them. */
  instructions?: Instructions | undefined;
  /** A review has its own instructions and only the tools that look. */
  review?: { instructions: string } | undefined;
  extras: TurnExtras;
  /** Takes the place of the provider that was chosen, e.g. to look at what would be sent. */
  wrapProvider?(provider: Provider): Provider;
  /** Ends what is still starting. */
  signal: AbortSignal;
};

export type OpenedSession = AsyncDisposable & {
  session: Session;
  /** For the user, one line each; hand them to `session.start`. */
  warnings: string[];
  /** What was chosen without being asked for: one line each, said before the session starts. */
  notices: readonly string[];
  /** What earlier turns of the thread have used. */
  usageBefore: Usage;
  /** What was said before, in a session that goes on. */
  history: readonly Item[];
  user: UserSide;
  inside: Inside;
  /** The model can look at pictures. */
  takesImages: boolean;
  settings: SessionSettings;
  model: ModelInfo;
  /** Those that the user can name. */
  skills: readonly SkillEntry[];
  /** Ids, for a person to read. */
  names: {
    session: string;
    provider: string;
    model: string;
    harness: string;
    harnessReason: string;
    window?: string;
  };
};

/** Builds a session of real parts: the only place that chooses them. Throws AppError; nothing is left running then. */
export async function openSession(options: OpenOptions): Promise<OpenedSession> {
  await using undo = new AsyncDisposableStack();
  const base = await foundation(options, undo);
  const { thread, model, provider, warnings } = base;
  const { harness, context, settings, skills, instructionFiles } = await conversationParts(options, base);
  const sessionId = thread.facts.id;
  const programs = undo.use(new ProgramFolder(options.config.home));
  const memory = createToolMemory();
  undo.defer(() => memory.dispose());
  const shared = sharedParts(options, base);
  const { onBug, sessions } = shared;
  const { config, env, cwd, approver, asker, editor, host, extras } = options;
  const before = { turns: thread.answers, usage: thread.usage };
  const budget = budgetOf(config, extras.budget ?? {}, model.id, before);
  const own = { memory, programs, approver, asker, editor, host, skills, onBug };
  const tools = await toolSide({ config, env, cwd, provider, model, sessionId, ...own });
  const session = new Session({
    facts: thread.facts,
    history: thread.history,
    usage: thread.usage,
    budget,
    settings,
    model: shared.model,
    harness: harness.link,
    freshContext: context.fresh,
    calls: tools,
    extras,
    ...toolNews(memory),
    ...planningOf(memory, settings),
    wakeup: wakeupsOf(memory, options.source),
    mentioned: (input) => mentionedItems(skills, input),
    sessions,
    ...(base.hasAgents ? { agents: agentPlan({ ...shared, tools, memory, child: harness.child }) } : {}),
    newTurnId: uuidV7,
    now: Date.now,
    onBug,
    log: shared.log,
  });
  session.subscribe(thread.writer.listener);
  thread.writer.onTrouble((message) => session.warn(message));
  undo.use(await naming(session, options, shared, { harness, settings }));
  warnings.forward = (message) => session.warn(message);
  const kept = undo.move();
  return {
    session,
    warnings: [...warnings.early, ...context.warnings],
    notices: [...(base.notices ?? []), ...missedThread(options.thread, thread.facts.id === base.newId)],
    usageBefore: thread.usage,
    history: thread.history,
    user: userSide({ session, settings, tools, memory, env }),
    inside: insideOf({ config, model, mcp: base.mcp, session, instructionFiles }),
    takesImages: model.images,
    settings,
    model,
    skills,
    names: namesOf(base),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await kept.disposeAsync();
    },
  };
}

/** What a session and its child agents have in common. */
function sharedParts(options: OpenOptions, { thread, provider, model, log }: Foundation) {
  const { config, env, cwd, isEphemeral, signal } = options;
  const queued = requestQueue(config, provider);
  return {
    config,
    env,
    facts: thread.facts,
    isEphemeral,
    choice: { provider, model },
    model: queued(linkModel(provider, model)),
    queued,
    sessions: sessionReader(config.home, cwd),
    onBug: (cause: unknown) => log({ level: "error", area: "session", message: String(cause), data: cause }),
    log: (message: string) => log({ level: "warn", area: "session", message }),
    watch: options.watchAgents,
    signal,
  };
}

function namesOf({ thread, provider, model, facts, window }: Foundation): OpenedSession["names"] {
  return {
    session: thread.facts.id,
    provider: provider.id,
    model: model.id,
    harness: facts.harness,
    harnessReason: facts.harnessReason ?? "",
    ...(window === undefined ? {} : { window }),
  };
}

function missedThread(choice: ThreadChoice, isNew: boolean): string[] {
  return choice.kind === "last" && isNew ? ["No earlier session was found here, so this is a new one."] : [];
}

type Foundation = Awaited<ReturnType<typeof foundation>>;

/** What the rest stands on: who answers, what is allowed, where the conversation is kept, and the MCP servers. */
async function foundation(options: OpenOptions, undo: AsyncDisposableStack) {
  const { config, env, cwd, source, signal } = options;
  const { values, home } = config;
  const originator = `interpreter_${source.replaceAll("-", "_")}`;
  const newId = wantedId(options.thread) ?? uuidV7();
  let id = newId;
  const choice = await chooseModel(config, { env, originator, sessionId: () => id }, signal);
  const { model } = choice;
  const provider = options.wrapProvider?.(choice.provider) ?? choice.provider;
  const tmpdir = env["TMPDIR"];
  const posture = postureOf(config, { cwd, isUnattended: !options.approver, ...(tmpdir ? { tmpdir } : {}) });
  const now = new Date();
  const harness = await routeHarness(config, provider, model, options.review !== undefined);
  const facts: SessionFacts = {
    id: newId,
    cwd,
    createdAt: now.toISOString(),
    originator,
    source,
    cliVersion: VERSION,
    provider: provider.id,
    model: model.id,
    harness: harness.id,
    harnessReason: harness.reason,
  };
  const thread = await openThread(home, options.thread, options.isEphemeral, facts);
  id = thread.facts.id;
  undo.use(thread.writer);
  const warnings = new Warnings([...config.warnings, ...(choice.warnings ?? []), ...damageWarnings(thread)]);
  const warn = (message: string) => warnings.add(message);
  const mcp = await startMcpServers({ config, env, cwd, asker: options.asker, signal, warn });
  if (mcp) undo.use(mcp);
  const log = fileLog(values.log_dir ?? join(home, "log"));
  const hasAgents = agentDepth(values) > 0 && options.review === undefined;
  return { ...choice, newId, provider, posture, facts, thread, warnings, mcp, now, log, hasAgents };
}

/** Where the harness wants it, a new session gets a name from the model. */
async function naming(
  session: Session,
  { thread, isEphemeral, config }: OpenOptions,
  { model, log }: ReturnType<typeof sharedParts>,
  { harness, settings }: Pick<Awaited<ReturnType<typeof conversationParts>>, "harness" | "settings">,
): Promise<AsyncDisposable | undefined> {
  const { title, link } = harness;
  if (!title || thread.kind !== "new" || isEphemeral) return undefined;
  const { nameLater } = await import("./session/title.ts");
  const source = { sessionId: session.id, model, harness: link, settings };
  return nameLater(session, { ...source, title, log }, config.home);
}

function wantedId(thread: ThreadChoice): string | undefined {
  if (thread.kind === "new") return thread.id;
  return thread.kind === "fork" ? thread.as : undefined;
}

/** What is said to the model: the harness with its tools, the context, and the settings of the requests. */
async function conversationParts(options: OpenOptions, base: Foundation) {
  const { config, cwd, env, review, instructions: given = {} } = options;
  const { provider, model, posture, facts, mcp, now } = base;
  const shell = userShell(env).path;
  const hasAsker = options.asker !== undefined;
  const flags = toolFlags(config, model, { isReview: review !== undefined, hasAsker });
  const [own, compactPrompt, agents, found] = await Promise.all([
    readInstructions(config.values),
    readCompactPrompt(config.values),
    projectInstructions({ config, cwd }),
    sessionSkills(config, cwd, env, !options.isEphemeral),
  ]);
  const { skills } = found;
  const { contextWindow } = model;
  const harness = await linkHarness({
    id: facts.harness,
    home: harnessHome(config),
    wire: harnessWire(provider.wire),
    prompt: {
      cwd,
      shell,
      version: VERSION,
      now,
      model,
      flags,
      effort: config.values.model_reasoning_effort,
      sessionId: base.thread.facts.id,
      projectInstructions: async () => agents.body,
      skills: () => skillCatalog(withoutBundled(skills), { contextWindow, paths: false }).text,
      isTrusted: config.trust === "trusted",
    },
    flags,
    instructions: review?.instructions ?? given.base ?? own.base,
    extraInstructions: joined([own.extra, given.extra]),
    mcp,
    agents: base.hasAgents ? { roles: flags["agents"] ? await rolesText(config) : "" } : undefined,
  });
  const { setup, context: wanted } = harness;
  // A harness that goes without our notes on the surroundings shows what another program would.
  const told = wanted.environment === false ? withoutBundled(skills) : skills;
  const list = skillsText(told, { contextWindow, tool: harness.skillTool });
  const context = contextSource({ config, cwd, shell, now, posture, setup, wanted, agents, skills: list });
  const settings = sessionSettings({
    config,
    cwd,
    posture,
    model,
    compactPrompt: compactPrompt ?? harness.compactPrompt,
    outputSchema: options.outputSchema,
  });
  context.warnings.push(...found.warnings);
  return { harness, context, settings, skills, instructionFiles: agents.files };
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).join("\n\n") || undefined;
}

/** Warnings from before the session speaks are collected; later ones go to it. */
class Warnings {
  readonly early: string[];
  forward: ((message: string) => void) | undefined;

  constructor(early: string[]) {
    this.early = early;
  }

  add(message: string): void {
    if (this.forward) this.forward(message);
    else this.early.push(message);
  }
}
