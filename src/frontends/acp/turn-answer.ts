import type { PromptResponse, StopReason } from "@agentclientprotocol/sdk/unstable";
import { fromInfo } from "./errors.ts";
import type { TurnEnd } from "./updates.ts";

/** What a prompt is answered with, by how its turn ended. Throws RequestError for a turn that failed. */
export function answerOf(end: TurnEnd): PromptResponse {
  switch (end.type) {
    case "turn.completed": {
      const { input, output, reasoning, cachedInput, cacheWrite } = end.usage;
      const usage = {
        totalTokens: input + output,
        inputTokens: input,
        outputTokens: output,
        thoughtTokens: reasoning,
        cachedReadTokens: cachedInput,
        cachedWriteTokens: cacheWrite,
      };
      return { stopReason: "end_turn", usage };
    }
    case "turn.aborted":
      return { stopReason: "cancelled" };
    case "budget.reached":
      return { stopReason: BUDGET_STOPS[end.limit] };
    case "turn.failed":
      // A question that was taken back stops the turn.
      if (end.error.code === "approval.denied" || end.error.code === "aborted")
        return { stopReason: "cancelled" };
      if (end.error.code === "model.incomplete") return { stopReason: "max_tokens" };
      throw fromInfo(end.error);
  }
}

const BUDGET_STOPS = {
  turns: "max_turn_requests",
  tokens: "max_tokens",
  cost: "max_turn_requests",
} as const satisfies Record<string, StopReason>;
