import { AppError } from "../../util/errors.ts";

type Remedy = { pattern: RegExp; code?: AppError["code"]; hint(model: string): string };

const SMALLER =
  "make the context smaller with -c model_context_window=8192, or use a smaller model or a smaller quantisation";

/** What Ollama's messages mean, and what helps. Without `code`, the error keeps its kind; with it, it is final. */
const REMEDIES: readonly Remedy[] = [
  {
    pattern:
      /out of (device )?memory|out-of-memory|(cuda|hip)malloc failed|failed to allocate|allocation failed|not enough memory|insufficient memory|requires more system memory/i,
    code: "model.rejected",
    hint: () => SMALLER,
  },
  {
    pattern: /does not support tools/i,
    code: "model.rejected",
    hint: () =>
      "choose a model that can call tools (`ollama show MODEL` lists what it can), e.g. one of the qwen3 family",
  },
  {
    pattern: /does not support thinking/i,
    code: "model.rejected",
    hint: () => "unset model_reasoning_effort",
  },
  {
    pattern: /does not support chat/i,
    code: "model.rejected",
    hint: () => "it only makes embeddings; choose another model",
  },
  {
    pattern: /model ['"].*['"] not found/i,
    code: "model.rejected",
    hint: (model) =>
      `install it with \`interpreter pull ${model}\`, or choose one that \`ollama list\` shows`,
  },
  {
    pattern: /incompatible with your version of ollama/i,
    code: "model.rejected",
    hint: (model) => `update Ollama, or install the model again: \`ollama pull ${model}\``,
  },
  {
    pattern: /cloud is disabled|remote model is unavailable|dial tcp|no such host/i,
    code: "model.rejected",
    hint: () => "this model runs on Ollama's servers, not on this machine; choose a local one",
  },
  {
    pattern: /signin_url|\bunauthorized\b/i,
    code: "auth",
    hint: () => "this model runs on Ollama's servers; sign in with `ollama signin`, or choose a local one",
  },
  {
    pattern: /option ".*" must be of type/i,
    code: "model.rejected",
    hint: () => "correct the harness's request.body",
  },
  {
    pattern: /runner has unexpectedly stopped|llama-server process has terminated/i,
    hint: () => `look into Ollama's log; when memory ran out: ${SMALLER}`,
  },
  {
    pattern: /maximum pending requests/i,
    hint: () => "other programs keep Ollama busy; try again later, or raise OLLAMA_MAX_QUEUE",
  },
];

/** The same error with what to do about it. */
export function explained(error: AppError, model: string): AppError {
  const remedy = REMEDIES.find(({ pattern }) => pattern.test(error.message));
  if (!remedy) return error;
  const isFinal = remedy.code !== undefined;
  return new AppError(remedy.code ?? error.code, error.message, {
    retryable: isFinal ? false : error.retryable,
    status: error.status,
    retryAfterMs: error.retryAfterMs,
    hint: remedy.hint(model),
    cause: error.cause,
  });
}
