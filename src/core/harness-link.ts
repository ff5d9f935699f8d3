import type { McpClients, McpTool } from "../extensions/mcp/clients.ts";
import type { HarnessFlags } from "../harness/flags.ts";
import { loadHarness } from "../harness/load.ts";
import { type BoundTools, bindTools, renamed, repaired, type Translated } from "../harness/tools.ts";
import { type PromptContext, renderBody, renderPrompt } from "../harness/vars.ts";
import {
  assistantText,
  type Item,
  type Part,
  type ToolCall,
  userText,
  type WireApi,
} from "../protocol/items.ts";
import { loadTool } from "../tools/registry.ts";
import type { Prepared } from "../tools/types.ts";
import { AppError } from "../util/errors.ts";
import type { BoundCall } from "./calls.ts";
import type { HarnessLink } from "./settings.ts";

export type HarnessOptions = {
  id: string;
  home: string;
  wire: WireApi;
  prompt: PromptContext;
  flags: HarnessFlags;
  /** Replaces the harness's own system prompt. */
  instructions: string | undefined;
  /** Text that follows the system prompt. */
  extraInstructions: string | undefined;
  mcp: McpClients | undefined;
};

export type LinkedHarness = {
  link: HarnessLink;
  /** Messages that come before the user's first. */
  setup: Item[];
  compactPrompt?: string;
};

/** Loads a harness and connects its tools, and those of MCP servers, to what runs. Throws AppError "config". */
export async function linkHarness(options: HarnessOptions): Promise<LinkedHarness> {
  const { id, home, wire, prompt, flags, mcp } = options;
  const harness = await loadHarness(id, home);
  if (!harness.wires.includes(wire)) {
    throw new AppError("config", `the harness ${id} does not work with wire_api = "${wire}"`, {
      hint: `it knows ${harness.wires.join(", ")}; choose another harness, or a provider with one of these`,
    });
  }
  const tools = bindTools(harness, flags);
  const system = options.instructions ?? (await renderPrompt(harness.prompt.system, prompt));
  const extraBody = await renderBody(harness.request.body, prompt);
  const own = tools.wireTools();
  const link: HarnessLink = {
    id,
    instructions: [system, options.extraInstructions].filter((text) => text).join("\n\n"),
    tools: () => [...own, ...(mcp?.tools().map((tool) => tool.wire) ?? [])],
    layout: harness.layout,
    extraBody,
    extraHeaders: harness.request.headers,
    bind: (call) => bindCall(call, tools, mcp),
  };
  const setup = harness.prompt.setup.map(({ role, text }) =>
    role === "user" ? userText(text) : assistantText(text),
  );
  return { link, setup, ...(harness.compaction ? { compactPrompt: harness.compaction.prompt } : {}) };
}

async function bindCall(
  call: ToolCall,
  tools: BoundTools,
  mcp: McpClients | undefined,
): Promise<BoundCall | { problem: string }> {
  const remote = mcp?.tools().find((tool) => tool.wire.name === call.name);
  if (mcp && remote) return bindRemote(call, remote, mcp);
  const translated = tools.translate(call);
  if (!("problem" in translated)) return bindNative(translated, tools);
  const respelled = mcp && (await respelledRemote(call, mcp));
  return mcp && respelled ? bindRemote(call, respelled, mcp) : translated;
}

async function bindNative(translated: Translated, tools: BoundTools): Promise<BoundCall> {
  const { native, input, tool, notes } = translated;
  const spec = await loadTool(native);
  return {
    parallel: spec.parallel,
    prepare: (ctx) => spec.prepare(input, ctx).catch(refuseInput),
    render: (result) => withNotes(tools.render(tool, result), notes),
  };
}

/** The tool of a server whose name the model wrote with other case or separators. What it does is not known: no guesses. */
async function respelledRemote({ name }: ToolCall, mcp: McpClients): Promise<McpTool | undefined> {
  const { spelledLike } = await import("../harness/spelling.ts");
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
  const { prepareMcpCall } = await import("../extensions/mcp/call.ts");
  const { readArguments } = await import("../harness/arguments.ts");
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
    prepare: async () => ({ ready: prepareMcpCall(mcp, tool, read.fields) }),
    render: (result) => withNotes(result.content, notes),
  };
}

/** The native tool's own schema is stricter than the harness's: its complaint is an answer, not a bug. */
function refuseInput(cause: unknown): Prepared {
  const issues =
    cause instanceof Error && "issues" in cause && Array.isArray(cause.issues) ? cause.issues : undefined;
  if (!issues) throw cause;
  const problems = issues.map((issue) => `${[...issue.path].join(".")}: ${issue.message}`).join("; ");
  const text = `failed to parse function arguments: ${problems}`;
  return { refused: { ok: false, content: [{ type: "input_text", text }], detail: { kind: "none" } } };
}

/** Tells the model what was made of its call, where it reads the result. */
function withNotes(content: Part[], notes: readonly string[]): Part[] {
  if (notes.length === 0) return content;
  return [...content, { type: "input_text", text: notes.map((note) => `(${note})`).join("\n") }];
}
