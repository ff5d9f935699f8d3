import type { McpClients } from "../../extensions/mcp/clients.ts";
import type { PromptCommand } from "../../extensions/mcp/prompts.ts";
import type { Part } from "../../protocol/items.ts";
import type { ModelInfo } from "../../providers/types.ts";

/** Slash commands that MCP servers bring along. They may change while the session lasts. */
export type PromptCommands = {
  list(): readonly PromptCommand[];
  /** What a command says, with what the person wrote after it. Throws AppError. */
  fill(name: string, written: string, signal: AbortSignal): Promise<Part[]>;
  /** Calls back when the list may be another one. One at a time. */
  onChange(changed: () => void): void;
};

export function promptCommandsOf(mcp: McpClients | undefined, { images }: ModelInfo): PromptCommands {
  return {
    list: () => mcp?.prompts() ?? [],
    fill: async (name, written, signal) => (await mcp?.fillPrompt(name, written, { images }, signal)) ?? [],
    onChange: (changed) => mcp?.onChange(changed),
  };
}
