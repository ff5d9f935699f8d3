import type { LoadedConfig } from "../../config/load.ts";
import type { McpClients, McpStatus } from "../../extensions/mcp/clients.ts";
import type { Item } from "../../protocol/items.ts";
import type { ModelInfo } from "../../providers/types.ts";
import type { AgentState } from "../../tools/types.ts";
import type { Price } from "../turn/budget.ts";
import { priceOf } from "./budget-limits.ts";
import { type PromptCommands, promptCommandsOf } from "./prompt-commands.ts";
import type { Session } from "./session.ts";

/** What a person can look at in an open session. */
export type Inside = {
  /** Paths of the instruction files that the model was given. */
  instructionFiles: readonly string[];
  /** What the model costs, when the configuration says so. */
  price: Price | undefined;
  /** The MCP servers, as they are now. */
  servers(): readonly McpStatus[];
  /** What they offer to be said, as slash commands. */
  prompts: PromptCommands;
  /** The agents that the model has started, the oldest first. */
  agents(): readonly AgentState[];
  /** What one of them has heard and said. */
  agentHistory(id: string): readonly Item[] | undefined;
};

export type InsideParts = {
  config: LoadedConfig;
  model: ModelInfo;
  mcp: McpClients | undefined;
  session: Session;
  instructionFiles: readonly string[];
};

export function insideOf({ config, model, mcp, session, instructionFiles }: InsideParts): Inside {
  return {
    instructionFiles,
    price: priceOf(config.values, model.id),
    servers: () => mcp?.statuses() ?? [],
    prompts: promptCommandsOf(mcp, model),
    agents: () => session.agents?.list() ?? [],
    agentHistory: (id) => session.agents?.historyOf(id),
  };
}
