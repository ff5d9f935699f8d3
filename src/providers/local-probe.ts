import { wholeText } from "../model/whole-text.ts";
import { isRecord, listOf, parseJson, recordOf, textIn } from "../util/json.ts";
import { labelIn, nameIn, tokensIn } from "./server-facts.ts";

export type LocalKind =
  | "Ollama"
  | "LM Studio"
  | "llama.cpp"
  | "vLLM"
  | "Jan"
  | "LocalAI"
  | "KoboldCpp"
  | "text-generation-webui"
  | "other";
export type FoundServer = {
  kind: LocalKind;
  /** Without a path. */
  origin: string;
  version?: string;
  /** What it offers. */
  models: string[];
  /** Tokens, where the server says. */
  context?: number;
  /** It tells nothing without a key. */
  needsKey?: true;
};

/** The provider that stands for a server on its usual port, where there is one. */
export function providerOf(kind: LocalKind): string | undefined {
  return PROVIDERS[kind];
}

const PROVIDERS: Readonly<Partial<Record<LocalKind, string>>> = {
  Ollama: "ollama",
  "LM Studio": "lmstudio",
  "llama.cpp": "llamacpp",
  vLLM: "vllm",
  Jan: "jan",
  LocalAI: "localai",
};

/** Where the servers that people run at home listen by default. */
const DEFAULT_PORTS = [11434, 1234, 8080, 9931, 8000, 1337, 6767, 5001, 5000] as const;
/** Jan answers as many others do, but nobody else is at home there. */
const JAN_PORTS = ["1337", "6767"];
/** A server on this machine that is busy with a prompt still answers such a question at once. */
const ANSWER_MS = 1_000;
/** For all questions to one server. */
const PATIENCE_MS = 4_000;

/** Every local model server that answers on its default port; asked all at once. */
export async function findLocalServers(
  signal: AbortSignal,
  ports: readonly number[] = DEFAULT_PORTS,
): Promise<FoundServer[]> {
  const found = await Promise.all(ports.map((port) => identifyServer(`http://127.0.0.1:${port}`, signal)));
  return found.filter((server) => server !== undefined);
}

/**
 * What listens at an address. The shape of an answer decides, never its status: one of these servers answers 200 to
 * everything, and another imitates Ollama.
 */
export async function identifyServer(
  origin: string,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<FoundServer | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const ask = (path: string) => answerOf(origin + path, limit);
  const version = await ask("/api/version");
  if (version === "silent") return undefined;
  const kobold = recordOf(await ask("/api/extra/version"));
  if (kobold["result"] === "KoboldCpp")
    return {
      kind: "KoboldCpp",
      origin,
      ...textAs(kobold["version"]),
      models: await modelIds(ask),
      ...contextAs(recordOf(await ask("/api/extra/true_max_context_length"))["value"]),
    };
  const ollama = textIn(recordOf(version)["version"]);
  const tags = recordOf(await ask("/api/tags"))["models"];
  if (ollama !== undefined && Array.isArray(tags))
    return { kind: "Ollama", origin, ...textAs(ollama), models: namesIn(tags, "name") };
  return (await lmStudio(origin, ask)) ?? (await openAiLike(origin, ask));
}

/** Does anything at all answer there? */
export async function isAnswered(origin: string, signal: AbortSignal): Promise<boolean> {
  return (await answerOf(`${origin}/`, signal)) !== "silent";
}

type Ask = (path: string) => Promise<unknown>;

async function lmStudio(origin: string, ask: Ask): Promise<FoundServer | undefined> {
  const newer = listOf(recordOf(await ask("/api/v1/models"))["models"]).filter(isRecord);
  if (newer.some((entry) => textIn(entry["key"]) !== undefined))
    return { kind: "LM Studio", origin, models: namesIn(newer, "key") };
  const older = listOf(recordOf(await ask("/api/v0/models"))["data"]).filter(isRecord);
  if (older.some((entry) => textIn(entry["state"]) !== undefined))
    return { kind: "LM Studio", origin, models: namesIn(older, "id") };
  const { lmstudio } = recordOf(await ask("/lmstudio-greeting"));
  return lmstudio === true ? { kind: "LM Studio", origin, models: [] } : undefined;
}

async function openAiLike(origin: string, ask: Ask): Promise<FoundServer | undefined> {
  const settings = recordOf(recordOf(await ask("/props"))["default_generation_settings"]);
  const list = await ask("/v1/models");
  const data = recordOf(list)["data"];
  const models = namesIn(listOf(data), "id");
  if (Object.keys(settings).length > 0)
    return { kind: "llama.cpp", origin, models, ...contextAs(settings["n_ctx"]) };
  const isJan = JAN_PORTS.includes(new URL(origin).port);
  if (list === REFUSED) return { kind: isJan ? "Jan" : "other", origin, models, needsKey: true };
  if (!Array.isArray(data)) return undefined;
  const { max_model_len: longest, owned_by: owner } = recordOf(data[0]);
  if (typeof longest === "number") return { kind: "vLLM", origin, models, ...contextAs(longest) };
  if (owner === "llamacpp") return { kind: "llama.cpp", origin, models };
  if (isJan) return { kind: "Jan", origin, models };
  return { kind: await rareKind(ask), origin, models };
}

async function rareKind(ask: Ask): Promise<LocalKind> {
  const loaded = recordOf(await ask("/v1/internal/model/info"))["model_name"];
  if (typeof loaded === "string") return "text-generation-webui";
  return isRecord(await ask("/system")) ? "LocalAI" : "other";
}

async function modelIds(ask: Ask): Promise<string[]> {
  return namesIn(listOf(recordOf(await ask("/v1/models"))["data"]), "id");
}

function namesIn(entries: readonly unknown[], key: string): string[] {
  return entries.flatMap((entry) => nameIn(recordOf(entry)[key]) ?? []);
}

function textAs(text: unknown): { version?: string } {
  const version = labelIn(text);
  return version === undefined ? {} : { version };
}

function contextAs(tokens: unknown): { context?: number } {
  const context = tokensIn(tokens);
  return context === undefined ? {} : { context };
}

const REFUSED = Symbol("a key is required");

/** "silent" when nothing listens there; undefined when the answer is not JSON. */
async function answerOf(url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const response = await fetch(url, { signal: limit, proxy: false, redirect: "manual" });
    const text = await wholeText(response);
    return response.status === 401 ? REFUSED : parseJson(text);
  } catch {
    return "silent";
  }
}
