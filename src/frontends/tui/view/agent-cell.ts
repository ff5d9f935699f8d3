import { agentLine, agentMessages } from "../../../protocol/agent-text.ts";
import type { ThreadItem } from "../../../protocol/events.ts";
import type { CellOptions } from "./cell-options.ts";
import { titleRow } from "./cell-title.ts";
import { outputRows } from "./output.ts";
import { safe, safeLine } from "./text.ts";

type AgentItem = Extract<ThreadItem, { type: "agent_call" }>;

/** What was done to child agents, and what they have said at the end. */
export function agentRows(item: AgentItem, options: CellOptions): string[] {
  const hasFailed = item.status === "failed" || item.agents.some(({ status }) => status === "failed");
  const messages = agentMessages(item).flatMap((message) => safe(message).split("\n"));
  return [
    titleRow({ text: safeLine(agentLine(item)), hasFailed }, options),
    ...(messages.length === 0 ? [] : outputRows(messages, options)),
  ];
}
