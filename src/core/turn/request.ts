import { wrapFirstUser } from "../../harness/first-user.ts";
import { estimateTokens } from "../../model/tokens.ts";
import type { ModelRequest } from "../../model/types.ts";
import type { Item } from "../../protocol/items.ts";
import { isContextFragment } from "../prompt-context/fragments.ts";
import type { HarnessLink, ModelLink, SessionSettings } from "./settings.ts";

export type RequestSource = {
  sessionId: string;
  model: ModelLink;
  harness: HarnessLink;
  settings: SessionSettings;
  /** Tokens of the window that the history leaves free, where that is known. */
  room?: number;
};

/** Builds the request for these items. Equal inputs give equal requests, so that the server's prompt cache holds. */
export function buildRequest(
  { sessionId, model, harness, settings, room }: RequestSource,
  items: readonly Item[],
  purpose: "turn" | "summary",
): ModelRequest {
  const effort = settings.effort ?? model.info.defaultEffort;
  return {
    model: model.info.id,
    instructions: harness.instructions,
    ...(harness.instructionBlocks ? { instructionBlocks: harness.instructionBlocks } : {}),
    items: harness.firstUser ? wrapFirstUser(items, harness.firstUser, isContextFragment) : [...items],
    // Calls that the model writes as text are looked for by whoever knows their form.
    ...(harness.textProtocol ? { rescueToolCalls: false } : {}),
    tools: purpose === "turn" || harness.compaction?.keepTools ? harness.tools() : [],
    parallelToolCalls: model.info.parallelToolCalls,
    rescueToolCalls: settings.rescueToolCalls,
    reasoning: { ...(effort ? { effort } : {}), ...(settings.summary ? { summary: settings.summary } : {}) },
    ...(settings.verbosity ? { verbosity: settings.verbosity } : {}),
    ...(settings.maxOutputTokens ? { maxOutputTokens: settings.maxOutputTokens } : {}),
    ...(purpose === "turn" && settings.outputSchema ? { outputSchema: settings.outputSchema } : {}),
    cacheKey: sessionId,
    layout: harness.layout,
    extraBody: {
      ...harness.extraBody,
      ...answerLimit(harness, settings, room ?? model.info.contextWindow / 2),
    },
    extraHeaders: harness.extraHeaders,
    ...(harness.extraQuery ? { extraQuery: harness.extraQuery } : {}),
    ...(harness.keyHeader ? { keyHeader: harness.keyHeader } : {}),
  };
}

/** What every request holds beside history. */
export function fixedTokens({ instructions, tools }: HarnessLink): number {
  return estimateTokens(instructions) + estimateTokens(JSON.stringify(tools()));
}

/** Servers refuse an answer limit that the window has no room for. */
function answerLimit(
  { answerLimit: limit }: HarnessLink,
  { maxOutputTokens }: SessionSettings,
  room: number,
): Record<string, number> {
  if (!limit) return {};
  return {
    [limit.field]: Math.max(SHORTEST_ANSWER, Math.min(maxOutputTokens ?? limit.most, Math.floor(room))),
  };
}

const SHORTEST_ANSWER = 1024;
