import { wrapFirstUser } from "../harness/first-user.ts";
import type { ModelRequest } from "../model/types.ts";
import type { Item } from "../protocol/items.ts";
import { isContextFragment } from "./prompt-context/fragments.ts";
import type { HarnessLink, ModelLink, SessionSettings } from "./settings.ts";

export type RequestSource = {
  sessionId: string;
  model: ModelLink;
  harness: HarnessLink;
  settings: SessionSettings;
};

/** Builds the request for these items. Equal inputs give equal requests, so that the server's prompt cache holds. */
export function buildRequest(
  { sessionId, model, harness, settings }: RequestSource,
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
    extraBody: harness.extraBody,
    extraHeaders: harness.extraHeaders,
    ...(harness.extraQuery ? { extraQuery: harness.extraQuery } : {}),
    ...(harness.keyHeader ? { keyHeader: harness.keyHeader } : {}),
  };
}
