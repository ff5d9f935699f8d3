import { type LocalId, localBaseUrl } from "../../providers/local.ts";
import { findLocalServers, identifyServer, isAnswered, providerOf } from "../../providers/local-probe.ts";
import { AppError } from "../../util/errors.ts";
import { isNear } from "../../util/near-address.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where to look: what the environment says, and whether nobody outside this network may be asked. */
export type Surroundings = { env: Env; isAirGapped: boolean };

/** The local server that runs: Ollama, else LM Studio. Each is looked for where the environment says it is. */
export async function runningServer(around: Surroundings, signal: AbortSignal): Promise<LocalId | undefined> {
  if (await answers("ollama", around, signal)) return "ollama";
  return (await answers("lmstudio", around, signal)) ? "lmstudio" : undefined;
}

/**
 * The same; throws AppError "model.unreachable" that says how to start one, and which others run. `ports`: where those are
 * looked for, if not where they usually are.
 */
export async function requireRunningServer(
  around: Surroundings,
  signal: AbortSignal,
  ports?: readonly number[],
): Promise<LocalId> {
  const found = await runningServer(around, signal);
  if (found) return found;
  const others = (await findLocalServers(signal, ports)).flatMap(({ kind, origin }) => {
    const id = providerOf(kind);
    return id === undefined || id === "ollama" || id === "lmstudio"
      ? []
      : [`${kind} runs at ${origin}: use it with -c model_provider=${id}`];
  });
  const places = await Promise.all([placeOf("ollama", around, signal), placeOf("lmstudio", around, signal)]);
  const message = `no local model server is running; looked for ${places.join(" and ")}`;
  throw new AppError("model.unreachable", message, {
    hint: [
      "start one of them:",
      "  Ollama     `ollama serve`, and `ollama pull gpt-oss:20b` for a model",
      "  LM Studio  `lms server start`, with a model that the app has downloaded",
      ...others,
      "a server on another machine is named with OLLAMA_HOST=host:port",
    ].join("\n"),
  });
}

const KINDS = { ollama: "Ollama", lmstudio: "LM Studio" } as const;

async function answers(id: LocalId, around: Surroundings, signal: AbortSignal): Promise<boolean> {
  if (isForbidden(id, around)) return false;
  const found = await identifyServer(originOf(id, around.env), signal);
  return found?.kind === KINDS[id];
}

/** Where it was looked for, and what was found there. */
async function placeOf(id: LocalId, around: Surroundings, signal: AbortSignal): Promise<string> {
  const origin = originOf(id, around.env);
  const place = `${KINDS[id]} at ${origin}`;
  if (isForbidden(id, around)) return `${place} (not asked, as air_gapped = true forbids it)`;
  return (await isAnswered(origin, signal)) ? `${place} (where something else answers)` : place;
}

function isForbidden(id: LocalId, { env, isAirGapped }: Surroundings): boolean {
  return isAirGapped && !isNear(originOf(id, env));
}

function originOf(id: LocalId, env: Env): string {
  return localBaseUrl(id, env).replace(/\/v1$/, "");
}
