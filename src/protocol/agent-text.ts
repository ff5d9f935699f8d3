import type { AgentFacts } from "./details.ts";
import type { ThreadItem } from "./events.ts";

type AgentCall = Extract<ThreadItem, { type: "agent_call" }>;

/** One line for people about something done to child agents; not yet safe for a terminal. */
export function agentLine({ action, agents, prompt = "", status }: AgentCall): string {
  const names = agents.map(({ name }) => name).join(", ");
  const task = prompt.trim().split("\n", 1)[0] ?? "";
  const failed = status === "failed" ? " (failed)" : "";
  switch (action) {
    case "spawn":
      if (agents.length === 0) return `Agent${failed}: ${task}`;
      return `Agent ${agents.map(withState).join(", ")}${task === "" ? "" : `: ${task}`}${failed}`;
    case "send":
      return `To agent ${agents.map(withState).join(", ")}: ${task}${failed}`;
    case "wait":
      return status === "in_progress"
        ? `Waiting for ${names}`
        : `Agents: ${agents.length === 0 ? "none" : agents.map(withState).join(", ")}`;
    case "close":
      return `Closed agent ${names}${failed}`;
  }
}

/** The last messages of those that have ended. */
export function agentMessages({ action, agents, status }: AgentCall): string[] {
  if (status === "in_progress" || action === "close") return [];
  return agents.flatMap(({ name, message }) =>
    message === undefined ? [] : [agents.length === 1 ? message : `${name}: ${message}`],
  );
}

const STATES: Readonly<Record<AgentFacts["status"], string>> = {
  pending: "waits for its turn",
  running: "at work",
  done: "done",
  failed: "failed",
  interrupted: "interrupted",
  closed: "closed",
};

function withState({ name, status }: AgentFacts): string {
  return `${name} (${STATES[status]})`;
}
