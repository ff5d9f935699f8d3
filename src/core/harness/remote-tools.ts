import type { McpClients, McpTool } from "../../extensions/mcp/clients.ts";
import { estimateTokens } from "../../model/tokens.ts";
import type { WireTool } from "../../model/types.ts";
import type { CatalogTool } from "../../tools/types.ts";

/** Schemas that take more of the window than this are kept back, where the model can look for them. */
const LARGEST_SHARE = 0.1;

/** The tools of MCP servers as one harness offers them. Servers may add to them between requests. */
export class RemoteTools {
  readonly #mcp: McpClients | undefined;
  readonly #most: number;
  readonly #loaded = new Set<string>();

  /** `maySearch`: the harness has a tool that finds what is kept back. `contextWindow` in tokens. */
  constructor(
    mcp: McpClients | undefined,
    { maySearch, contextWindow }: { maySearch: boolean; contextWindow: number },
  ) {
    this.#mcp = mcp;
    this.#most = maySearch ? contextWindow * LARGEST_SHARE : Number.POSITIVE_INFINITY;
  }

  get clients(): McpClients | undefined {
    return this.#mcp;
  }

  all(): McpTool[] {
    return this.#mcp?.tools() ?? [];
  }

  offered(): WireTool[] {
    const tools = this.all().map(({ wire }) => wire);
    if (!this.#isTooMuch(tools)) return tools;
    return [...this.#loaded].flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
  }

  /** With those that were loaded since: the model may look for them again. */
  keptBack(): CatalogTool[] {
    const tools = this.all().map(({ wire }) => wire);
    if (!this.#isTooMuch(tools)) return [];
    return tools.map(catalogTool);
  }

  load(names: readonly string[]): void {
    const known = new Set(this.all().map(({ wire }) => wire.name));
    for (const name of names) if (known.has(name)) this.#loaded.add(name);
  }

  #isTooMuch(tools: readonly WireTool[]): boolean {
    return this.#most !== Number.POSITIVE_INFINITY && estimateTokens(JSON.stringify(tools)) > this.#most;
  }
}

function catalogTool(tool: WireTool): CatalogTool {
  const { name, description } = tool;
  return { name, description, parameters: tool.kind === "function" ? tool.parameters : {} };
}
