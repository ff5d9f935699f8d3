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

/** Looks for Ollama and LM Studio, both at once, where the environment says they are. Nothing else is asked. */
export async function findServers(
  { values }: LoadedConfig,
  env: Env,
  signal: AbortSignal,
): Promise<LocalServer[]> {
  const ids: readonly LocalId[] = ["ollama", "lmstudio"];
  return await Promise.all(ids.map((id) => look(id, originOf(id, env), values.air_gapped, signal)));
}

/** Undefined for a variable that names no address: what is wrong with it is said when the server is chosen. */
function originOf(id: LocalId, env: Env): string | undefined {
  try {
    return localBaseUrl(id, env).replace(/\/v1$/, "");
  } catch {
    return undefined;
  }
}

async function look(
  id: LocalId,
  origin: string | undefined,
  isAirGapped: boolean,
  signal: AbortSignal,
): Promise<LocalServer> {
  if (origin === undefined) return { id, name: NAMES[id], address: "wrong address", modelCount: undefined };
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isAllowed = url !== undefined && (!isAirGapped || isNear(origin));
  const isHere = url !== undefined && isLoopback(url.hostname);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(isHere ? BUSY_MS : SILENCE_MS)]);
  const found = isAllowed ? await identifyServer(origin, limit) : undefined;
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
  const { hasNoProvider } = await import("../model/model-choice.ts");
  return hasNoProvider(config, env);
}
