import type { MessageLayout } from "../model/types.ts";
import type { WireApi } from "../protocol/items.ts";
import type {
  HarnessContext,
  HarnessFile,
  HarnessMessage,
  HarnessReminder,
  HarnessRequest,
  HarnessRouting,
  HarnessTool,
  HarnessVariable,
  TextProtocolName,
} from "./schema.ts";

/** A harness that is whole: what is said first, which tools are shown, how the conversation is laid out. */
export type Harness = {
  id: string;
  title: string;
  wires: readonly WireApi[];
  prompt: {
    /** The whole system prompt; `blocks` is the same in pieces, where the file has pieces. */
    system: string;
    blocks?: readonly string[];
    context: HarnessContext;
    firstUser?: string;
    setup: readonly HarnessMessage[];
    afterFirst: readonly HarnessMessage[];
  };
  vars: Readonly<Record<string, HarnessVariable>>;
  layout: MessageLayout;
  /** Strings in them are templates. A `null` header is not sent. */
  request: {
    body: Readonly<Record<string, unknown>>;
    headers: Readonly<Record<string, string | null>>;
    query: Readonly<Record<string, string | null>>;
    keyHeader?: string;
    answerLimit?: HarnessRequest["answerLimit"];
    wire?: HarnessRequest["wire"];
  };
  models: NonNullable<HarnessFile["models"]>;
  compaction?: HarnessFile["compaction"];
  /** The request for a name of the session, where it is made. */
  titleRequest?: NonNullable<NonNullable<HarnessFile["sideRequests"]>["title"]>;
  errors: NonNullable<HarnessFile["errors"]>;
  reminders: readonly HarnessReminder[];
  agents: NonNullable<HarnessFile["agents"]>;
  taskEnded?: string;
  textProtocol?: TextProtocolName;
  withoutCall?: string;
  routing?: HarnessRouting;
  tools: readonly HarnessTool[];
};

/** `file` over `base`: tables are merged, lists replaced, tools merged by their names. Routing is never inherited. */
export function extendFile(base: HarnessFile, file: HarnessFile): HarnessFile {
  return {
    id: file.id,
    title: file.title ?? base.title,
    wires: file.wires ?? base.wires,
    prompt: {
      ...base.prompt,
      ...file.prompt,
      context: { ...base.prompt?.context, ...file.prompt?.context },
    },
    vars: { ...base.vars, ...file.vars },
    layout: { ...base.layout, ...file.layout },
    request: mergeRequests(base.request, file.request),
    models: file.models ?? base.models,
    compaction: file.compaction ?? base.compaction,
    sideRequests: { title: { ...base.sideRequests?.title, ...file.sideRequests?.title } },
    errors: { ...base.errors, ...file.errors },
    reminders: file.reminders ?? base.reminders,
    agents: file.agents ?? base.agents,
    taskEnded: file.taskEnded ?? base.taskEnded,
    textProtocol: file.textProtocol ?? base.textProtocol,
    withoutCall: file.withoutCall ?? base.withoutCall,
    routing: file.routing,
    tools: mergeTools(base, file),
  };
}

/** A tool of the same name takes the place of the other; new ones come last. */
function mergeTools(base: HarnessFile, file: HarnessFile): HarnessTool[] {
  const own = new Map(file.tools?.map((tool) => [tool.name, tool]));
  const dropped = new Set(file.dropTools ?? []);
  const kept = (base.tools ?? []).filter(({ name }) => !dropped.has(name));
  const known = new Set(kept.map(({ name }) => name));
  const added = (file.tools ?? []).filter(({ name }) => !known.has(name));
  return inOrder([...kept.map((tool) => own.get(tool.name) ?? tool), ...added], file.toolOrder ?? []);
}

function inOrder(tools: readonly HarnessTool[], order: readonly string[]): HarnessTool[] {
  const place = ({ name }: HarnessTool) => (order.includes(name) ? order.indexOf(name) : order.length);
  return tools.toSorted((a, b) => place(a) - place(b));
}

type PartialRequest = Partial<Harness["request"]>;

function mergeRequests(base: PartialRequest = {}, over: PartialRequest = {}): HarnessRequest {
  return {
    body: { ...base.body, ...over.body },
    headers: { ...base.headers, ...over.headers },
    query: { ...base.query, ...over.query },
    keyHeader: over.keyHeader ?? base.keyHeader,
    answerLimit: over.answerLimit ?? base.answerLimit,
    wire: over.wire ?? base.wire,
  };
}

/** The name of what is missing, when the file can't stand for itself. */
export function missingPart(file: HarnessFile): string | undefined {
  if (file.wires === undefined) return "wires";
  if (file.prompt?.system === undefined) return "prompt.system";
  return file.tools === undefined ? "tools" : undefined;
}

/** The harness that a file describes, with what it leaves out filled in. Check `missingPart` first. */
export function complete(file: HarnessFile): Harness {
  return {
    id: file.id,
    title: file.title ?? "",
    wires: file.wires ?? [],
    prompt: {
      ...systemTexts(file.prompt?.system ?? ""),
      context: file.prompt?.context ?? {},
      ...(file.prompt?.firstUser === undefined ? {} : { firstUser: file.prompt.firstUser }),
      setup: file.prompt?.setup ?? [],
      afterFirst: file.prompt?.afterFirst ?? [],
    },
    vars: file.vars ?? {},
    layout: file.layout ?? {},
    request: completeRequest(file.request),
    models: file.models ?? [],
    compaction: file.compaction,
    ...(file.sideRequests?.title?.enabled ? { titleRequest: file.sideRequests.title } : {}),
    errors: file.errors ?? {},
    reminders: file.reminders ?? [],
    agents: file.agents ?? {},
    ...(file.taskEnded === undefined ? {} : { taskEnded: file.taskEnded }),
    ...(file.textProtocol === undefined ? {} : { textProtocol: file.textProtocol }),
    ...(file.withoutCall === undefined ? {} : { withoutCall: file.withoutCall }),
    routing: file.routing,
    tools: file.tools ?? [],
  };
}

function systemTexts(system: string | readonly string[]): { system: string; blocks?: readonly string[] } {
  return typeof system === "string" ? { system } : { system: system.join("\n\n"), blocks: system };
}

/** Tools that start child agents, or speak of them. */
const ABOUT_AGENTS: ReadonlySet<HarnessTool["native"]> = new Set([
  "agent",
  "agents",
  "agents_list",
  "agent_message",
  "workflow",
  "agent_spawn",
  "agent_tell",
  "agent_wait",
  "agent_close",
  "agent_resume",
]);
/** Nobody answers or waits for a child. */
const FOR_THE_PARENT: ReadonlySet<HarnessTool["native"]> = new Set([
  "ask_user",
  "schedule_wakeup",
  "plan_enter",
  "plan_exit",
]);

/** The harness where there are no agents. */
export function withoutAgents(harness: Harness): Harness {
  return { ...harness, tools: harness.tools.filter(({ native }) => !ABOUT_AGENTS.has(native)) };
}

/** The harness of a child agent of that kind, the usual one by default; undefined when it has none. */
export function forAgent(harness: Harness, kind: string | undefined, mayStart = false): Harness | undefined {
  const name = kind ?? Object.keys(harness.agents)[0];
  const agent = name === undefined || !Object.hasOwn(harness.agents, name) ? undefined : harness.agents[name];
  if (!agent) return undefined;
  const tools = childTools(harness, mayStart);
  return {
    ...harness,
    prompt: { ...systemTexts(agent.system), context: {}, setup: [], afterFirst: [] },
    request: completeRequest(mergeRequests(harness.request, agent.request)),
    reminders: [],
    tools: tools.filter((tool) => agent.tools?.includes(tool.name) ?? true),
  };
}

/** The same harness for a child agent: all that its parent has, but what only makes sense with a user. */
export function forWholeAgent(harness: Harness, mayStart = false): Harness {
  return { ...harness, reminders: [], tools: childTools(harness, mayStart) };
}

function childTools(harness: Harness, mayStart: boolean): HarnessTool[] {
  const { tools } = mayStart ? harness : withoutAgents(harness);
  return tools.filter(({ native }) => !FOR_THE_PARENT.has(native));
}

function completeRequest(request: HarnessRequest = {}): Harness["request"] {
  const { body = {}, headers = {}, query = {}, keyHeader, answerLimit, wire } = request;
  return {
    body,
    headers,
    query,
    ...(keyHeader === undefined ? {} : { keyHeader }),
    ...(answerLimit === undefined ? {} : { answerLimit }),
    ...(wire === undefined ? {} : { wire }),
  };
}

/** The harness with what its file says of this model, for this wire. */
export function tailored(harness: Harness, model: string, wire: WireApi): Harness {
  const own = harness.models.find(({ match }) => new RegExp(match, "i").test(model));
  const request = completeRequest(mergeRequests(harness.request, own?.request));
  if (request.wire !== undefined && request.wire !== wire)
    return { ...harness, layout: {}, request: completeRequest() };
  return { ...harness, layout: { ...harness.layout, ...own?.layout }, request };
}
