import type { McpClients, McpTool } from "../../extensions/mcp/clients.ts";
import { forAgent, forWholeAgent, type Harness, tailored, withoutAgents } from "../../harness/compose.ts";
import { endings } from "../../harness/endings.ts";
import type { HarnessFlags } from "../../harness/flags.ts";
import { type HarnessHome, loadHarness } from "../../harness/load.ts";
import { endNotice, reminderFor } from "../../harness/reminders.ts";
import { checkWire } from "../../harness/route.ts";
import { renderSpeech, type Speech } from "../../harness/speech.ts";
import { loadTextProtocol } from "../../harness/text-protocol.ts";
import { type BoundTools, bindTools, renamed, repaired, type Translated } from "../../harness/tools.ts";
import type { InputIssue } from "../../harness/unfit-input.ts";
import { type PromptContext, renderBody, renderPrompt } from "../../harness/vars.ts";
import type { Item, Part, ToolCall, WireApi } from "../../protocol/items.ts";
import { loadTool } from "../../tools/registry.ts";
import type { ToolCatalog, ToolSpec } from "../../tools/types.ts";
import { AppError } from "../../util/errors.ts";
import type { AgentRole } from "../agents/roles.ts";
import { CHILD_TEXT } from "../agents/texts.ts";
import type { BoundCall } from "../turn/calls.ts";
import type { HarnessLink, TitleRequest } from "../turn/settings.ts";
import { RemoteTools } from "./remote-tools.ts";

export type HarnessOptions = {
  id: string;
  home: HarnessHome;
  wire: WireApi;
  prompt: PromptContext;
  flags: HarnessFlags;
  /** Replaces the harness's own system prompt. */
  instructions: string | undefined;
  /** Text that follows the system prompt. */
  extraInstructions: string | undefined;
  mcp: McpClients | undefined;
  /** Undefined where child agents can't be started. */
  agents: { roles: string } | undefined;
};

export type LinkedHarness = {
  link: HarnessLink;
  /** Messages that come before the user's first. */
  setup: Item[];
  /** Which of our own fragments come before the user's first message. */
  context: Harness["prompt"]["context"];
  /** The link of a child agent, or a text that tells the model which kinds there are. */
  child(wish: ChildLinkWish): Promise<ChildLink | { problem: string }>;
  /** The harness's tool that loads skills, if it has one. */
  skillTool?: string;
  compactPrompt?: string;
  title?: TitleRequest;
};

export type ChildLinkWish = {
  kind: string | undefined;
  roles: ReadonlyMap<string, Pick<AgentRole, "instructions">>;
  model: PromptContext["model"];
  mayStart: boolean;
  sessionId: string;
};
/** `isWhole`: it is told all that its parent is told, since it has the same prompt. */
export type ChildLink = { link: HarnessLink; kind: string; isWhole: boolean };

/** Loads a harness and connects its tools, and those of MCP servers, to what runs. Throws AppError "config". */
export async function linkHarness(options: HarnessOptions): Promise<LinkedHarness> {
  const { id, home, wire, prompt } = options;
  const loaded = tailored(await loadHarness(id, home), prompt.model.id, wire);
  const harness = options.agents ? withRoles(loaded, options.agents.roles) : withoutAgents(loaded);
  await checkWire(harness, wire, home);
  const tools = toolSet(harness, options);
  const speech = await renderSpeech(harness, { ...prompt, deferredTools: namesKeptBack(tools) }).catch(
    (cause: unknown) => inHarness(id, cause),
  );
  const textProtocol = harness.textProtocol && (await loadTextProtocol(harness.textProtocol));
  const link: HarnessLink = {
    ...linkOf(harness, tools, speech, options),
    ...(speech.firstUser ? { firstUser: speech.firstUser } : {}),
    ...(textProtocol ? { textProtocol, tools: () => [] } : {}),
    ...endings(harness, textProtocol),
  };
  const { compaction } = harness;
  const skillTool = harness.tools.find(({ native, hidden }) => native === "skill" && !hidden)?.name;
  return {
    link,
    child: (wish) => linkChild(harness, wish, options),
    setup: speech.setup,
    context: harness.prompt.context,
    ...(skillTool === undefined ? {} : { skillTool }),
    ...(compaction ? { compactPrompt: compaction.prompt } : {}),
    ...(harness.titleRequest ? { title: await filledTitle(harness.titleRequest, prompt) } : {}),
  };
}

/** Says which harness has a text that is no template. */
function inHarness(id: string, cause: unknown): never {
  if (!(cause instanceof AppError)) throw cause;
  throw new AppError(cause.code, `harness ${id}: ${cause.message}`, { cause, hint: cause.hint });
}

async function filledTitle(
  { system = "", instruction = "", body = {} }: NonNullable<Harness["titleRequest"]>,
  prompt: PromptContext,
): Promise<TitleRequest> {
  const [rendered, said, fields] = await Promise.all([
    renderPrompt(system, prompt),
    renderPrompt(instruction, prompt),
    renderBody(body, prompt),
  ]);
  return { system: rendered, instruction: said, body: fields };
}

/** The harness's own tools, and those of servers. */
type ToolSet = { own: BoundTools; remote: RemoteTools };

function toolSet(harness: Harness, { flags, mcp, prompt }: HarnessOptions): ToolSet {
  const maySearch = harness.tools.some(({ native }) => native === "tool_search");
  const { contextWindow } = prompt.model;
  return { own: bindTools(harness, flags), remote: new RemoteTools(mcp, { maySearch, contextWindow }) };
}

function namesKeptBack({ own, remote }: ToolSet): string[] {
  return [...own.keptBack(), ...remote.keptBack()].map(({ name }) => name);
}

function catalogOf({ own, remote }: ToolSet): ToolCatalog {
  return {
    all: () => [...own.keptBack(), ...remote.keptBack()],
    load: (names) => {
      if (own.callsByName) return;
      own.load(names);
      remote.load(names);
    },
  };
}

function linkOf(harness: Harness, tools: ToolSet, speech: Speech, options: HarnessOptions): HarnessLink {
  const { request, compaction, layout } = harness;
  const { contextWindow } = options.prompt.model;
  return {
    id: harness.id,
    ...instructionsOf(speech, options),
    tools: () => [...tools.own.wireTools(), ...tools.remote.offered()],
    layout,
    extraBody: speech.body,
    extraHeaders: speech.headers,
    ...(Object.keys(speech.query).length > 0 ? { extraQuery: speech.query } : {}),
    ...(request.keyHeader ? { keyHeader: request.keyHeader } : {}),
    ...(request.answerLimit ? { answerLimit: request.answerLimit } : {}),
    afterFirst: speech.afterFirst,
    reminder: (items) => reminderFor(harness.reminders, items),
    endNotice: (end) => endNotice(harness.taskEnded, end),
    ...(compaction ? { compaction } : {}),
    bind: (call) => bindCall(call, tools, contextWindow),
  };
}

/** Says which kinds of agents there are, where the model chooses one. */
function withRoles(harness: Harness, roles: string): Harness {
  if (roles === "") return harness;
  const told = (tool: Harness["tools"][number]) =>
    tool.native === "agent_spawn" ? { ...tool, description: `${tool.description} ${roles}` } : tool;
  return { ...harness, tools: harness.tools.map(told) };
}

async function linkChild(
  harness: Harness,
  { kind, roles, model, mayStart, sessionId }: ChildLinkWish,
  options: HarnessOptions,
): Promise<ChildLink | { problem: string }> {
  const own = forAgent(harness, kind, mayStart);
  const role = roles.get(kind ?? "default");
  if (!own && !role) {
    const known = [...new Set([...Object.keys(harness.agents), ...roles.keys()])].join(", ");
    return { problem: `there is no agent ${kind}; known: ${known}` };
  }
  const child = own ?? forWholeAgent(harness, mayStart);
  const prompt = { ...options.prompt, model, sessionId };
  const extra = own
    ? role?.instructions
    : [options.extraInstructions, CHILD_TEXT, role?.instructions].filter(isFilled).join("\n\n");
  const instructions = own ? undefined : options.instructions;
  const childOptions = { ...options, prompt, instructions, extraInstructions: extra };
  const tools = toolSet(child, childOptions);
  const speech = await renderSpeech(child, { ...prompt, deferredTools: namesKeptBack(tools) });
  const name = kind ?? (own ? Object.keys(harness.agents)[0] : undefined) ?? "default";
  return { link: linkOf(child, tools, speech, childOptions), kind: name, isWhole: own === undefined };
}

/** A user's own system prompt takes the place of the harness's, whatever blocks that has. */
function instructionsOf(
  { system, blocks }: Speech,
  { instructions, extraInstructions }: HarnessOptions,
): Pick<HarnessLink, "instructions" | "instructionBlocks"> {
  const texts = (all: readonly (string | undefined)[]) => all.filter(isFilled);
  const whole = texts([instructions ?? system, extraInstructions]).join("\n\n");
  if (instructions !== undefined || !blocks) return { instructions: whole };
  return { instructions: whole, instructionBlocks: texts([...blocks, extraInstructions]) };
}

function isFilled(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

async function bindCall(
  written: ToolCall,
  tools: ToolSet,
  contextWindow: number,
): Promise<BoundCall | { problem: string }> {
  const call = tools.own.meant(written);
  const mcp = tools.remote.clients;
  const remote = tools.remote.all().find((tool) => tool.wire.name === call.name);
  if (mcp && remote) return bindRemote(call, remote, mcp);
  const translated = tools.own.translate(call);
  if (!("problem" in translated)) return bindNative(call, translated, tools, contextWindow);
  const respelled = mcp && (await respelledRemote(call, mcp));
  return mcp && respelled ? bindRemote(call, respelled, mcp) : translated;
}

/** No output of one call may take more of the window than this, whatever a harness allows. */
const LARGEST_SHARE = 0.25;

async function bindNative(
  call: ToolCall,
  translated: Translated,
  tools: ToolSet,
  contextWindow: number,
): Promise<BoundCall | { problem: string }> {
  const { native, input, tool, notes } = translated;
  // A model that knows a tool by heart need not look for it first.
  tools.own.load([tool.name]);
  const spec = await loadTool(native);
  const issue = issueOf(spec, input);
  if (issue) return { problem: tools.own.unfit(call, translated, issue) };
  const most = Math.floor(contextWindow * LARGEST_SHARE);
  const limit = tool.maxOutputTokens === undefined ? undefined : Math.min(tool.maxOutputTokens, most);
  return {
    parallel: spec.parallel && tool.sequential !== true,
    ...(limit === undefined ? {} : { outputLimit: { unit: "tokens", limit } }),
    catalog: catalogOf(tools),
    prepare: (ctx) => spec.prepare(input, ctx),
    render: (result) => withNotes(tools.own.render(tool, result), notes),
  };
}

/** The tool of a server whose name the model wrote with other case or separators. What it does is not known: no guesses. */
async function respelledRemote({ name }: ToolCall, mcp: McpClients): Promise<McpTool | undefined> {
  const { spelledLike } = await import("../../harness/spelling.ts");
  const tools = mcp.tools();
  const spelled = spelledLike(
    name,
    tools.map((tool) => tool.wire.name),
  );
  return spelled?.isGuess ? undefined : tools.find((tool) => tool.wire.name === spelled?.name);
}

async function bindRemote(
  call: ToolCall,
  tool: McpTool,
  mcp: McpClients,
): Promise<BoundCall | { problem: string }> {
  const { prepareMcpCall } = await import("../../extensions/mcp/call.ts");
  const { readArguments } = await import("../../harness/arguments.ts");
  // The server checks its own schema, of which the model saw a plain form: what fits that is taken as meant, but only the
  // JSON must be readable.
  const parameters = tool.wire.kind === "function" ? tool.wire.parameters : {};
  const fitting = readArguments(call.input.raw, parameters, false);
  const read = "problem" in fitting ? readArguments(call.input.raw, {}, false) : fitting;
  if ("problem" in read) return read;
  const notes = [
    ...(tool.wire.name === call.name ? [] : [renamed(call.name, tool.wire.name)]),
    ...repaired(read),
  ];
  return {
    parallel: tool.parallel,
    isTrustedMcpTool: !tool.needsApproval,
    isReadingMcpTool: tool.readOnly,
    prepare: async () => ({ ready: prepareMcpCall(mcp, tool, read.fields) }),
    render: (result) => withNotes(result.content, notes),
  };
}

/** The first thing that the native tool's own schema, which may be stricter than the harness's, does not take. */
function issueOf({ schema }: ToolSpec, input: unknown): InputIssue | undefined {
  try {
    schema.parse(input);
    return undefined;
  } catch (cause) {
    const issues =
      cause instanceof Error && "issues" in cause && Array.isArray(cause.issues) ? cause.issues : [];
    if (issues.length === 0) throw cause;
    return issues[0];
  }
}

/** Tells the model what was made of its call, where it reads the result. */
function withNotes(content: Part[], notes: readonly string[]): Part[] {
  if (notes.length === 0) return content;
  const text = notes.map((note) => `(${note})`).join("\n");
  // Wires without parts put them directly after each other.
  const last = content.at(-1);
  const gap = last?.type === "input_text" && !/(?:^|\n)$/.test(last.text) ? "\n" : "";
  return [...content, { type: "input_text", text: `${gap}${text}` }];
}
