import type { Endpoint, ModelEvent, ModelRequest } from "../../model/types.ts";
import { type LmStudioModel, lmStudioModels, loadLmStudioModel } from "../../providers/lmstudio/client.ts";
import { COMFORTABLE } from "../../providers/ollama/window.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import { AppError } from "../../util/errors.ts";
import { nearest } from "../../util/nearest.ts";
import { linkModel } from "../model/model-link.ts";
import { withCutWarning } from "./cut-warning.ts";
import { withMeasuredSpeed } from "./measured-speed.ts";
import { someNames } from "./some-names.ts";
import type { LocalModel, LocalQuestion } from "./types.ts";

type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** Asked for when a model is loaded for us and the user named no number. */
const USUAL_WINDOW = 32_768;

/**
 * Finds out what an LM Studio model is, with which window it is loaded, and has it loaded when it is not. Undefined when
 * what answers is not LM Studio. Throws AppError like `prepareOllama`.
 */
export async function prepareLmStudio(
  question: LocalQuestion,
  signal: AbortSignal,
): Promise<LocalModel | undefined> {
  const { provider, named, wantedWindow } = question;
  const endpoint = await provider.endpoint(signal);
  const models = await lmStudioModels(endpoint, signal);
  if (!models) return undefined;
  const found = named === undefined ? defaultModel(models) : namedModel(named, models);
  const max = found.maxContext ?? Number.POSITIVE_INFINITY;
  const asked = Math.min(wantedWindow ?? USUAL_WINDOW, max);
  const tokens = found.isLoaded ? (found.context ?? asked) : asked;
  const base = provider.model(found.id);
  const model: ModelInfo = { ...base, contextWindow: tokens, images: found.images, known: true };
  return {
    provider: { ...provider, stream: lmStudioStream(provider, model, found.isLoaded) },
    model,
    window: `${tokens} tokens (${found.isLoaded ? "as it is loaded" : "it is loaded with the first request"})`,
    warnings: windowWarnings(found, tokens, wantedWindow),
  };
}

function windowWarnings(model: LmStudioModel, tokens: number, wanted: number | undefined): string[] {
  const max = model.maxContext ?? tokens;
  const better = Math.min(max, Math.max(wanted ?? 0, USUAL_WINDOW));
  const isTooSmall = tokens < (wanted === undefined ? Math.min(COMFORTABLE, max) : Math.min(wanted, max));
  const command = `\`lms unload ${model.id} && lms load ${model.id} --context-length ${better}\``;
  return [
    ...(model.isLoaded && isTooSmall
      ? [`${model.id} is loaded with a context of only ${tokens} tokens; for more: ${command}`]
      : []),
    ...(model.tools === false ? [`${model.id} was not trained to call tools; expect mistakes`] : []),
  ];
}

function defaultModel(models: readonly LmStudioModel[]): LmStudioModel {
  const choice =
    models.find(({ isLoaded, tools }) => isLoaded && tools !== false) ??
    models.find(({ isLoaded }) => isLoaded) ??
    models.find(({ tools }) => tools === true) ??
    models[0];
  if (choice) return choice;
  throw new AppError("config", "LM Studio has no model", {
    hint: "download one in the app, or with `lms get openai/gpt-oss-20b`",
  });
}

/** The id, or its last part when that is unique. */
function namedModel(named: string, models: readonly LmStudioModel[]): LmStudioModel {
  const wanted = named.toLowerCase();
  const exact = models.find(({ id }) => id.toLowerCase() === wanted);
  const ending = models.filter(({ id }) => id.toLowerCase().endsWith(`/${wanted}`));
  const found = exact ?? (ending.length === 1 ? ending[0] : undefined);
  if (found) return found;
  const ids = models.map(({ id }) => id);
  const close = nearest(named, ids);
  const guess = close === undefined ? "" : `did you mean ${close}? Else `;
  throw new AppError(
    "config",
    `the model ${named} is not in LM Studio; it has: ${someNames(ids) || "none"}`,
    { hint: `${guess}\`lms get ${named}\` downloads it` },
  );
}

/** What LM Studio does with a prompt that is too long is a setting of its; by default the middle is cut out. */
function lmStudioStream(provider: Provider, model: ModelInfo, wasLoaded: boolean): Stream {
  const { stream } = linkModel(provider, model);
  const { id } = model;
  const remedy = `load it with a larger context: \`lms unload ${id} && lms load ${id} --context-length N\``;
  const measured = withMeasuredSpeed(stream, () => performance.now());
  const watched = withCutWarning(measured, "LM Studio", remedy);
  return wasLoaded ? watched : afterLoading(watched, provider, model);
}

function afterLoading(stream: Stream, provider: Provider, model: ModelInfo): Stream {
  let isLoaded = false;
  return async function* (request, signal) {
    if (!isLoaded) {
      yield { type: "loading", model: model.id };
      const problem = await tryToLoad(model, await provider.endpoint(signal), signal);
      if (problem !== undefined) yield { type: "notice", message: problem };
      isLoaded = true;
    }
    yield* stream(request, signal);
  };
}

/** A server without that call loads a model with the first request, but with the window that is saved for it. */
async function tryToLoad(
  { id, contextWindow }: ModelInfo,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await loadLmStudioModel(id, contextWindow, endpoint, signal);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof AppError) || !/unexpected endpoint/i.test(cause.message)) throw cause;
    return (
      `this version of LM Studio loads ${id} with the context that is saved for it, often 4096 tokens; ` +
      `load it with \`lms load ${id} --context-length ${contextWindow}\``
    );
  }
}
