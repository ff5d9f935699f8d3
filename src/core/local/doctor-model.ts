import type { LoadedConfig } from "../../config/load.ts";
import { exchange, headersFor } from "../../model/exchange.ts";
import type { Endpoint } from "../../model/types.ts";
import { COMFORTABLE } from "../../providers/ollama/window.ts";
import { AppError, toErrorInfo } from "../../util/errors.ts";
import { chooseModel, type ModelChoice } from "../model/model-choice.ts";
import { type Check, failed, good, warned } from "./doctor-check.ts";

const ANSWER_MS = 5_000;

/** Provider, model and context window, as a session would have them now. */
export async function modelChecks(
  config: LoadedConfig,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Check[]> {
  try {
    const client = { env, originator: "interpreter_doctor", sessionId: () => "" };
    const choice = await chooseModel(config, client, signal);
    return [await providerCheck(choice, signal), modelCheck(choice), contextCheck(choice)];
  } catch (cause) {
    const { message, hint } = toErrorInfo(cause);
    return [failed("provider", message, hint)];
  }
}

async function providerCheck({ provider }: ModelChoice, signal: AbortSignal): Promise<Check> {
  try {
    const endpoint = await provider.endpoint(signal);
    if (provider.baseUrl === undefined) return good("provider", `${provider.label}, needs no server`);
    await reach(endpoint, signal);
    return good("provider", `${provider.label} answers at ${provider.baseUrl}`);
  } catch (cause) {
    const { message, hint } = toErrorInfo(cause);
    return failed("provider", message, hint);
  }
}

/** Whatever is answered shows that somebody is there; only a refused key counts as trouble. */
async function reach(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const url = `${endpoint.baseUrl.replace(/\/+$/, "")}/models`;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    await exchange(url, { headers: headersFor(endpoint, {}), signal: limit }, endpoint);
  } catch (cause) {
    if (cause instanceof AppError && cause.code !== "auth") return;
    if (cause instanceof AppError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("model.unreachable", `${endpoint.baseUrl} does not answer: ${reason}`, {
      hint: "check the network, base_url and the proxy settings; a local model needs none: see --oss",
    });
  }
}

function modelCheck({ model, warnings = [] }: ModelChoice): Check {
  const abilities = [
    model.tools ? "tools" : "no tools: commands as text",
    ...(model.images ? ["images"] : []),
    ...(model.efforts.length > 0 ? ["thinking"] : []),
  ];
  const detail = model.known
    ? `${model.id} (${abilities.join(", ")})`
    : `${model.id}; nothing is known about it`;
  if (warnings.length > 0) return warned("model", detail, warnings.join("; "));
  return good("model", detail);
}

function contextCheck({ model, window }: ModelChoice): Check {
  const detail = window ?? `${model.contextWindow} tokens`;
  if (model.contextWindow >= COMFORTABLE) return good("context", detail);
  return warned("context", detail, `larger tasks need ${COMFORTABLE} or more: -c model_context_window=N`);
}
