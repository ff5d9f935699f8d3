import type { ApprovalMode, McpServerConfig } from "./config.ts";
import type { ToolHints } from "./listing.ts";

/** The mode of a tool: its own, else that of its server. `tool` is the server's name for it. */
export function approvalMode(config: McpServerConfig, tool: string): ApprovalMode {
  return config.approval.byTool[tool] ?? config.approval.other;
}

/**
 * Must somebody agree before this tool runs? Hints are the server's own claims; what it does not say is assumed to be
 * the worse.
 */
export function needsApproval(mode: ApprovalMode, hints: ToolHints): boolean {
  const onlyReads = hints.readOnlyHint === true;
  switch (mode) {
    case "approve":
      return false;
    case "prompt":
      return true;
    case "writes":
      return !onlyReads;
    case "auto":
      return onlyReads
        ? hints.destructiveHint === true
        : hints.destructiveHint !== false || hints.openWorldHint !== false;
  }
}
