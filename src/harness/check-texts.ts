import type { Harness } from "./compose.ts";
import { renderSpeech } from "./speech.ts";
import { renderTemplate, templateNames } from "./template.ts";
import { type PromptContext, renderBody, renderPrompt } from "./vars.ts";

const ERROR_NAMES = ["tool", "problem", "rule", "field", "reason", "arguments", "text"];
const END_NAMES = ["taskId", "file", "exitCode", "command"];

/** Fills every text of a harness once. Throws AppError "config" for the first that is not a valid template. */
export async function checkTexts(harness: Harness, context: PromptContext): Promise<void> {
  const ctx = { ...context, vars: harness.vars };
  await renderSpeech(harness, context);
  for (const { system, request } of Object.values(harness.agents)) {
    for (const text of [system].flat()) await renderPrompt(text, ctx);
    await renderBody(request?.body ?? {}, ctx);
  }
  for (const { request } of harness.models) await renderBody(request?.body ?? {}, ctx);
  const { unknownTool, badArguments, failed } = harness.errors;
  for (const text of [unknownTool, badArguments]) knowsOnly(ERROR_NAMES, text);
  knowsOnly(END_NAMES, harness.taskEnded);
  // Which fields a result has depends on what ran, so of these only the form can be checked.
  const results = harness.tools.flatMap(({ result = {} }) => [
    result.ok,
    result.error,
    ...Object.values(result.cases ?? {}),
  ]);
  for (const text of [failed, ...results].flat()) knowsOnly(undefined, text);
}

function knowsOnly(names: readonly string[] | undefined, text: string | undefined): void {
  if (text === undefined) return;
  const known = new Set(names ?? templateNames(text));
  renderTemplate(text, (name) => (known.has(name) ? "" : undefined));
}
