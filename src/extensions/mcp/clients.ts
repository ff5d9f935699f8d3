import { z } from "zod";
import type { WireTool } from "../../model/types.ts";
import type { Part } from "../../protocol/items.ts";
import type { Asker } from "../../protocol/questions.ts";
import { AppError } from "../../util/errors.ts";
import { LastResort } from "../../util/kill.ts";
import { approvalMode, needsApproval } from "./approval.ts";
import type { McpServerConfig } from "./config.ts";
import { modelName } from "./names.ts";
import { fillPrompt, type PromptCommand, promptCommands } from "./prompts.ts";
import { RESOURCE_TOOLS, useResources } from "./resources.ts";
import { CallResult, type McpOutcome, toResult } from "./result.ts";
import { secretsOf, withoutSecrets } from "./secret-free.ts";
import { McpServer, type ServerState } from "./server.ts";
import { watchTokens } from "./tokens.ts";

export type McpOptions = {
  servers: ReadonlyMap<string, McpServerConfig>;
  /** Our own environment; servers see a small part of it. */
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Folders that servers may be told about beside `cwd`. */
  roots?: readonly string[] | undefined;
  clientVersion: string;
  /** Where sign-ins are kept; without it, none are used. */
  tokensFile?: string | undefined;
  /** Only addresses of this machine and its own network may be asked. */
  isAirGapped?: boolean | undefined;
  /** Answers what servers want to know of a person. */
  asker?: Asker | undefined;
  /** A server that can't be used, in a sentence for people. May be called as long as the clients live. */
  onWarning: (message: string) => void;
};

export type McpTool = {
  /** What the model is offered. */
  wire: WireTool;
  /** Empty for the tools that read resources of all servers. */
  server: string;
  /** The server's own name for it. */
  tool: string;
  readOnly: boolean;
  needsApproval: boolean;
  parallel: boolean;
};

/** `input` are the arguments as the model wrote them, parsed. `onProgress` hears how far the server says it is. */
export type McpCall = {
  server: string;
  tool: string;
  input: unknown;
  onProgress?: ((text: string) => void) | undefined;
};

/** `tools` and `prompts` by the server's own names. `faults`: what is wrong with it although it works. */
export type McpStatus = {
  name: string;
  state: ServerState;
  reason: string;
  /** How long it took until it was ready. */
  startedMs: number;
  tools: string[];
  prompts: string[];
  hasResources: boolean;
  /** Tools that the model sees under another name than `mcp__SERVER__TOOL`. */
  renamed: { tool: string; as: string }[];
  faults: string[];
};

/** The MCP servers of a session. */
export type McpClients = AsyncDisposable & {
  /** In a stable order; may grow or change between two requests. */
  tools(): McpTool[];
  statuses(): McpStatus[];
  /** What servers offer to be said, as slash commands. */
  prompts(): PromptCommand[];
  /** What the command says with what is written after it. Throws AppError "usage" for an unknown command or a missing word. */
  fillPrompt(name: string, written: string, sees: { images: boolean }, signal: AbortSignal): Promise<Part[]>;
  /** Calls back whenever a server has started, or has other tools or prompts than before. */
  onChange(changed: () => void): void;
  /** Never rejects for anything a server does. */
  call(wanted: McpCall, signal: AbortSignal): Promise<McpOutcome>;
  /** Ends every server and all of its children. */
  close(): Promise<void>;
};

/**
 * Starts all enabled servers at once and waits until they are ready, have failed, or have used up their share of
 * patience. Throws AppError "config" when a required server can't be started.
 */
export async function startMcp(options: McpOptions, signal: AbortSignal): Promise<McpClients> {
  const enabled = [...options.servers].filter(([, config]) => config.isEnabled);
  if (enabled.length === 0) return new Clients(new Map());
  // The protocol library is large: it is loaded only for those who use it.
  const { connect } = await import("./connect.ts");
  const lastResort = new LastResort();
  const { env, cwd, roots, clientVersion, tokensFile, asker, isAirGapped = false } = options;
  const secrets = secretsOf(
    enabled.map(([, config]) => config),
    env,
  );
  const servers = new Map(
    enabled.map(([name, config]) => {
      const line = { name, config, env, cwd, roots, clientVersion, lastResort };
      const known = { ...line, tokensFile, asker, isAirGapped };
      const server = new McpServer(name, config, (onChanged, timeoutMs, aborted) =>
        withoutSecrets(connect({ ...known, onChanged }, timeoutMs, aborted), secrets),
      );
      if (config.reach.kind === "address" && tokensFile !== undefined)
        server.hasNewSignIn = watchTokens(tokensFile);
      return [name, server];
    }),
  );
  const clients = new Clients(servers);
  await Promise.all([...servers.values()].map((server) => bringUp(server, options.onWarning, signal)));
  const missing = [...servers.values()].filter(({ config, state }) => config.isRequired && state !== "ready");
  if (missing.length === 0) return clients;
  const failure = new AppError("config", requiredFailed(missing), {
    hint: "repair the server, or set required = false to go on without it",
  });
  await clients.close();
  throw failure;
}

async function bringUp(
  server: McpServer,
  warn: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { name, config } = server;
  const started = server.start(signal).then(() => {
    if (server.state === "failed" && !config.isRequired && !server.isClosing)
      warn(`MCP server ${name} could not be started: ${server.reason}`);
  });
  let timer: Timer | undefined;
  const patience = new Promise<void>((resolve) => {
    if (config.isRequired) return;
    timer = setTimeout(() => {
      warn(
        `MCP server ${name} is not ready after ${config.patienceMs / 1000} s; its tools are missing until it is`,
      );
      resolve();
    }, config.patienceMs);
  });
  await Promise.race([started, patience]);
  clearTimeout(timer);
}

function requiredFailed(servers: readonly McpServer[]): string {
  const each = servers.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  return `required MCP servers failed to initialize: ${each}`;
}

class Clients implements McpClients {
  readonly #servers: ReadonlyMap<string, McpServer>;

  constructor(servers: ReadonlyMap<string, McpServer>) {
    this.#servers = servers;
  }

  tools(): McpTool[] {
    for (const server of this.#servers.values()) server.wake();
    const taken = new Set<string>();
    const tools: McpTool[] = [];
    for (const server of this.#servers.values()) {
      for (const tool of offeredTools(server)) {
        const name = modelName(server.name, tool.name, taken);
        taken.add(name);
        const { description, parameters, hints } = tool;
        tools.push({
          wire: { kind: "function", name, description, parameters, strict: false },
          server: server.name,
          tool: tool.name,
          readOnly: hints.readOnlyHint === true,
          needsApproval: needsApproval(approvalMode(server.config, tool.name), hints),
          parallel: server.config.isParallel,
        });
      }
    }
    return [...tools, ...this.#resourceTools()];
  }

  #resourceTools(): McpTool[] {
    const offered = [...this.#servers.values()].some(({ hasResources }) => hasResources);
    if (!offered) return [];
    const same = { server: "", readOnly: true, needsApproval: false, parallel: true };
    return RESOURCE_TOOLS.map((wire) => ({ ...same, wire, tool: wire.name }));
  }

  statuses(): McpStatus[] {
    const offered = this.tools();
    return [...this.#servers.values()].map((server) => {
      const { name, state, reason, startedMs, hasResources } = server;
      const renamed = offered.flatMap(({ wire, tool, server: owner }) =>
        owner !== name || wire.name === `mcp__${name}__${tool}` ? [] : [{ tool, as: wire.name }],
      );
      return {
        name,
        state,
        reason,
        startedMs,
        tools: offeredTools(server).map((tool) => tool.name),
        prompts: server.prompts.map((prompt) => prompt.name),
        hasResources,
        renamed,
        faults: server.faults(),
      };
    });
  }

  prompts(): PromptCommand[] {
    return promptCommands(this.#servers.values()).map(({ name, about, hint }) => ({ name, about, hint }));
  }

  async fillPrompt(name: string, written: string, sees: { images: boolean }, signal: AbortSignal) {
    const found = promptCommands(this.#servers.values()).find((one) => one.name === name);
    if (found === undefined) throw new AppError("usage", `there is no prompt ${name}`);
    return await fillPrompt(found, written, sees, signal);
  }

  onChange(changed: () => void): void {
    for (const server of this.#servers.values()) server.onChange = changed;
  }

  async call(wanted: McpCall, signal: AbortSignal): Promise<McpOutcome> {
    const { server, tool, input, onProgress } = wanted;
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      const parsed = Arguments.parse(input ?? {});
      const result =
        server === ""
          ? await useResources(tool, parsed, this.#servers, signal)
          : await this.#callTool({ server, tool, input: parsed, onProgress }, signal);
      return { durationMs: durationMs(), result };
    } catch (cause) {
      return { durationMs: durationMs(), error: signal.aborted ? "interrupted" : messageOf(cause) };
    }
  }

  async #callTool({ server: name, tool, input, onProgress }: McpCall, signal: AbortSignal) {
    const server = this.#servers.get(name);
    if (server === undefined) throw new Error(`there is no MCP server "${name}"`);
    const answer = await server.request(
      {
        method: "tools/call",
        params: { name: tool, arguments: input },
        schema: CallResult,
        timeoutMs: server.config.toolTimeoutMs,
        onProgress,
      },
      signal,
    );
    return toResult(answer);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const Arguments = z.record(z.string(), z.unknown());

function offeredTools({ tools, config }: McpServer) {
  const { enabledTools, disabledTools } = config;
  return tools.filter(({ name }) => !disabledTools.includes(name) && (enabledTools?.includes(name) ?? true));
}

function messageOf(cause: unknown): string {
  if (cause instanceof z.ZodError) return `wrong arguments: ${z.prettifyError(cause)}`;
  return cause instanceof Error ? cause.message : String(cause);
}
