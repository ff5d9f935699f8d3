import type { LoadedConfig } from "../../config/load.ts";
import { isLoopback } from "../../model/errors.ts";
import { type LocalId, localBaseUrl } from "../../providers/local.ts";
import { identifyServer } from "../../providers/local-probe.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A server of models that may run on this machine. */
export type LocalServer = {
  id: LocalId;
  name: string;
  /** Host and port. */
  address: string;
  /** How many models it has; undefined when it does not run. */
  modelCount: number | undefined;
};

const NAMES = { ollama: "Ollama", lmstudio: "LM Studio" } as const;
/** How long silence counts as "not there". */
const SILENCE_MS = 300;
/** This machine refuses at once where nothing listens: who is silent here is busy. */
const BUSY_MS = 1_000;

/** Looks for Ollama and LM Studio, both at once, where the environment says they are. Nothing else is asked. */
export async function findServers(env: Env, signal: AbortSignal): Promise<LocalServer[]> {
  const ids: readonly LocalId[] = ["ollama", "lmstudio"];
  return await Promise.all(ids.map((id) => look(id, env, signal)));
}

async function look(id: LocalId, env: Env, signal: AbortSignal): Promise<LocalServer> {
  const origin = localBaseUrl(id, env).replace(/\/v1$/, "");
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isHere = url !== undefined && isLoopback(url.hostname);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(isHere ? BUSY_MS : SILENCE_MS)]);
  const found = url && (await identifyServer(origin, limit));
  const modelCount = found?.kind === NAMES[id] ? found.models.length : undefined;
  return { id, name: NAMES[id], address: url?.host ?? origin, modelCount };
}

/** Nothing says where requests should go, and there is no key that could. */
export async function isUnconfigured(config: LoadedConfig, env: Env): Promise<boolean> {
  const { hasNoProvider } = await import("../model-choice.ts");
  return hasNoProvider(config, env);
}
