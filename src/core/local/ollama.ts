import type { Endpoint, OllamaOptions } from "../../model/types.ts";
import { ollamaRoot } from "../../model/wires/ollama-lines.ts";
import { cloudForbidden } from "../../providers/air-gap.ts";
import { freeModelMemory } from "../../providers/local-memory.ts";
import {
  exactCache,
  type Installed,
  installedModels,
  loadedModels,
  type ModelFacts,
  ollamaVersion,
  showModel,
} from "../../providers/ollama/client.ts";
import { bytesPerToken } from "../../providers/ollama/kv-cache.ts";
import { COMFORTABLE, chooseWindow, type Window } from "../../providers/ollama/window.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import { AppError } from "../../util/errors.ts";
import { isLoopback } from "../../util/near-address.ts";
import { linkModel } from "../model/model-link.ts";
import { fencedCalls, fencedWhenRefused } from "./fenced-calls.ts";
import { keepAlive } from "./keep-alive.ts";
import { type Learned, learnedModels } from "./learned.ts";
import { defaultModel, exactModel } from "./ollama-model.ts";
import { someNames } from "./some-names.ts";
import type { LocalModel, LocalQuestion } from "./types.ts";
import { withWindowCheck } from "./window-check.ts";

/**
 * Finds out what an Ollama model is and can do, and fixes what every request of the session repeats. Undefined when what
 * answers is not Ollama. Throws AppError "model.unreachable" when nothing does, "config" for a model that is not there.
 */
export async function prepareOllama(
  question: LocalQuestion,
  signal: AbortSignal,
): Promise<LocalModel | undefined> {
  const { provider, named, isAirGapped, env, home } = question;
  const endpoint = await provider.endpoint(signal);
  if ((await ollamaVersion(endpoint, signal)) === undefined) return undefined;
  const [installed, loaded] = await Promise.all([
    installedModels(endpoint, signal),
    loadedModels(endpoint, signal),
  ]);
  const origin = ollamaRoot(endpoint.baseUrl);
  const where = { origin, isAirGapped };
  const name =
    named === undefined
      ? defaultModel(
          installed,
          loaded.map((model) => model.name),
          where,
        )
      : exactModel(named, installed, where);
  const facts = await showModel(name, endpoint, signal);
  // A list of an older server does not say that a model runs elsewhere; its card does.
  if (facts.isCloud && isAirGapped) throw cloudForbidden(name);
  checkCanChat(name, facts);
  const inMemory = loaded.find((model) => model.name === name)?.contextLength;
  const size = sizeOf(name, installed);
  const window = await windowFor({ question, name, facts, endpoint, inMemory, size }, signal);
  const learned = learnedModels(home, origin);
  const tools = facts.capabilities?.includes("tools") ?? !(await learned.lacksTools(name));
  const model = infoOf(provider.model(name), facts, window, tools);
  const options: OllamaOptions = {
    contextWindow: window.tokens,
    keepAlive: keepAlive(env["OLLAMA_KEEP_ALIVE"]),
    ...(facts.capabilities
      ? { thinks: facts.capabilities.includes("thinking"), images: facts.capabilities.includes("vision") }
      : {}),
  };
  return {
    provider: withTools(withOptions(provider, origin, options), model, { installed, learned, facts }),
    model,
    window: `${window.tokens} tokens (${window.origin})`,
    warnings: [
      ...(window.warning ? [window.warning] : []),
      ...(facts.isCloud ? [`${name} runs on Ollama's servers: what is sent leaves this machine`] : []),
      ...(tools ? [] : [textModeNote(name, installed)]),
    ],
  };
}

function sizeOf(name: string, installed: readonly Installed[]): number {
  return installed.find((model) => model.name === name)?.size ?? 0;
}

function checkCanChat(name: string, { capabilities }: ModelFacts): void {
  if (!capabilities || capabilities.length === 0 || capabilities.includes("completion")) return;
  throw new AppError("config", `the model ${name} can't hold a conversation (${someNames(capabilities)})`, {
    hint: "choose another one with -m; `ollama list` shows what is installed",
  });
}

type Serving = {
  question: LocalQuestion;
  name: string;
  facts: ModelFacts;
  endpoint: Endpoint;
  /** Tokens it is loaded with, if it is. */
  inMemory: number | undefined;
  /** Bytes. */
  size: number;
};

async function windowFor(serving: Serving, signal: AbortSignal): Promise<Window> {
  const { facts, inMemory, size } = serving;
  const { wantedWindow } = serving.question;
  const isDecided =
    wantedWindow !== undefined || Math.max(inMemory ?? 0, facts.numCtx ?? 0) >= COMFORTABLE || facts.isCloud;
  const isHere = isLoopback(new URL(serving.endpoint.baseUrl).hostname);
  const memory = isHere && !isDecided && size > 0 ? await memoryFor(serving, signal) : undefined;
  return chooseWindow({
    ...(wantedWindow === undefined ? {} : { wanted: wantedWindow }),
    ...(facts.maxContext === undefined ? {} : { modelMax: facts.maxContext }),
    ...(facts.numCtx === undefined ? {} : { modelDefault: facts.numCtx }),
    ...(inMemory === undefined ? {} : { loaded: inMemory }),
    ...(memory === undefined ? {} : { ...memory, modelBytes: size }),
  });
}

/** What is free, and what a token takes of it. */
async function memoryFor(
  { question, name, facts, endpoint }: Serving,
  signal: AbortSignal,
): Promise<{ freeBytes: number; bytesPerToken: number } | undefined> {
  const { cache } = facts;
  if (!cache) return undefined;
  const exact = cache.isRough ? await exactCache(name, endpoint, signal).catch(() => undefined) : undefined;
  const perToken = bytesPerToken(exact ?? cache, question.env);
  return { freeBytes: await freeModelMemory(), bytesPerToken: perToken };
}

function infoOf(base: ModelInfo, { capabilities }: ModelFacts, window: Window, tools: boolean): ModelInfo {
  const { defaultEffort: _, ...rest } = base;
  const info = { ...rest, contextWindow: window.tokens, tools, known: true };
  if (!capabilities) return info;
  return {
    ...info,
    images: capabilities.includes("vision"),
    efforts: capabilities.includes("thinking") ? ["none", "low", "medium", "high"] : [],
  };
}

function withOptions(provider: Provider, origin: string, ollama: OllamaOptions): Provider {
  return {
    ...provider,
    wire: "ollama",
    baseUrl: origin,
    async endpoint(signal) {
      const endpoint = await provider.endpoint(signal);
      return { ...endpoint, quirks: { ...endpoint.quirks, ollama } };
    },
  };
}

type Knowledge = { installed: readonly Installed[]; learned: Learned; facts: ModelFacts };

/** A model without tool calls writes its commands as text. An old server does not say whether it has them: it is tried. */
function withTools(provider: Provider, model: ModelInfo, { installed, learned, facts }: Knowledge): Provider {
  const { stream: plain } = linkModel(provider, model);
  const endpoint = (signal: AbortSignal) => provider.endpoint(signal);
  const asked = { name: model.id, tokens: model.contextWindow, endpoint };
  // Where the longest window is known, none above it is asked for.
  const stream = facts.maxContext === undefined ? withWindowCheck(plain, asked) : plain;
  if (!model.tools) return { ...provider, defaultHarness: "minimal", stream: fencedCalls(stream) };
  if (facts.capabilities) return facts.maxContext === undefined ? { ...provider, stream } : provider;
  const onSwitch = async () => {
    await learned.noteLackOfTools(model.id);
    return textModeNote(model.id, installed);
  };
  return { ...provider, stream: fencedWhenRefused(stream, onSwitch) };
}

function textModeNote(name: string, installed: readonly Installed[]): string {
  const able = installed.filter((one) => !one.isCloud && one.capabilities?.includes("tools"));
  const names = able.map((one) => one.name);
  const other = names.length > 0 ? `${someNames(names)} can` : "one of the qwen3 family can";
  return `${name} can't call tools, so it writes its commands as text; ${other}, and does better`;
}
