import type { AgentState } from "../types.ts";

/** The state of a child in the words that models know from the Codex command line. */
export function statusWords(state: AgentState | undefined): string | Record<string, string> {
  switch (state?.status) {
    case undefined:
      return "not_found";
    case "pending":
      return "pending_init";
    case "running":
      return "running";
    case "interrupted":
      return "interrupted";
    case "closed":
      return "shutdown";
    case "done":
      return { completed: state?.message ?? "" };
    case "failed":
      return { errored: state?.message ?? "" };
  }
}
