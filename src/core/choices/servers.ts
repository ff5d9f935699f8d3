import type { LoadedConfig } from "../../config/load.ts";
import { type LocalId, localBaseUrl } from "../../providers/local.ts";
import {
  type FoundServer,
  findLocalServers,
  identifyServer,
  providerOf,
} from "../../providers/local-probe.ts";
import { isLoopback, isNear } from "../../util/near-address.ts";

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
/** This machine refuses at once where nothing listens: whatever is silent here is busy. */
const BUSY_MS = 1_000;

/**
 * Looks for Ollama and LM Studio, both at once, where the environment says they are. Nothing else is asked. Throws AppError
 * "config" for a variable that names no address.
 */
export async function findServers(
  { values }: LoadedConfig,
  env: Env,
  signal: AbortSignal,
): Promise<LocalServer[]> {
  const ids: readonly LocalId[] = ["ollama", "lmstudio"];
  return await Promise.all(
    ids.map((id) => look(id, localBaseUrl(id, env).replace(/\/v1$/, ""), values.air_gapped, signal)),
  );
}

async function look(
  id: LocalId,
  origin: string,
  isAirGapped: boolean,
  signal: AbortSignal,
): Promise<LocalServer> {
  const isAllowed = URL.canParse(origin) && (!isAirGapped || isNear(origin));
  const url = isAllowed ? new URL(origin) : undefined;
  const isHere = url !== undefined && isLoopback(url.hostname);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(isHere ? BUSY_MS : SILENCE_MS)]);
  const found = url && (await identifyServer(origin, limit));
  const modelCount = found?.kind === NAMES[id] ? found.models.length : undefined;
  return { id, name: NAMES[id], address: url?.host ?? origin, modelCount };
}

/** A model server on this machine that is neither Ollama nor LM Studio. */
export type OtherServer = {
  /** What it is, for people. */
  name: string;
  /** The built-in provider that stands for its kind. */
  provider?: string;
  /** Ends in /v1. */
  baseUrl: string;
  modelCount: number;
  /** Tokens, where it says. */
  context?: number;
  needsKey: boolean;
};

/** Looks for them on their usual ports, all at once; `ports` stands for other ones. */
export async function findOtherServers(
  signal: AbortSignal,
  ports?: readonly number[],
): Promise<OtherServer[]> {
  const found = await findLocalServers(signal, ports);
  return found.filter(({ kind }) => kind !== "Ollama" && kind !== "LM Studio").map(otherServer);
}

function otherServer({ kind, origin, models, context, needsKey }: FoundServer): OtherServer {
  const provider = providerOf(kind);
  return {
    name: kind === "other" ? "a model server" : kind,
    ...(provider === undefined ? {} : { provider }),
    baseUrl: `${origin}/v1`,
    modelCount: models.length,
    ...(context === undefined ? {} : { context }),
    needsKey: needsKey === true,
  };
}

/** Nothing says where requests should go, and there is no key that could. */
export async function isUnconfigured(config: LoadedConfig, env: Env): Promise<boolean> {
  const { hasNoProvider } = await import("../model-choice.ts");
  return hasNoProvider(config, env);
}
