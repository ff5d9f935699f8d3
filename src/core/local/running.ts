import { type LocalId, localBaseUrl } from "../../providers/local.ts";
import { findLocalServers, identifyServer, providerOf } from "../../providers/local-probe.ts";
import { AppError } from "../../util/errors.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The local server that runs: Ollama, else LM Studio. Each is looked for where the environment says it is. */
export async function runningServer(env: Env, signal: AbortSignal): Promise<LocalId | undefined> {
  if (await answers("ollama", "Ollama", env, signal)) return "ollama";
  return (await answers("lmstudio", "LM Studio", env, signal)) ? "lmstudio" : undefined;
}

/**
 * The same; throws AppError "model.unreachable" that says how to start one, and which others run. `ports`: where those are
 * looked for, if not where they usually are.
 */
export async function requireRunningServer(
  env: Env,
  signal: AbortSignal,
  ports?: readonly number[],
): Promise<LocalId> {
  const found = await runningServer(env, signal);
  if (found) return found;
  const others = (await findLocalServers(signal, ports)).flatMap(({ kind, origin }) => {
    const id = providerOf(kind);
    return id === undefined || id === "ollama" || id === "lmstudio"
      ? []
      : [`${kind} runs at ${origin}: use it with -c model_provider=${id}`];
  });
  const places = `Ollama at ${originOf("ollama", env)} and LM Studio at ${originOf("lmstudio", env)}`;
  throw new AppError("model.unreachable", `no local model server is running; looked for ${places}`, {
    hint: [
      "start one of them:",
      "  Ollama     `ollama serve`, and `ollama pull gpt-oss:20b` for a model",
      "  LM Studio  `lms server start`, with a model that the app has downloaded",
      ...others,
      "a server on another machine is named with OLLAMA_HOST=host:port",
    ].join("\n"),
  });
}

async function answers(id: LocalId, kind: string, env: Env, signal: AbortSignal): Promise<boolean> {
  const found = await identifyServer(originOf(id, env), signal);
  return found?.kind === kind;
}

function originOf(id: LocalId, env: Env): string {
  return localBaseUrl(id, env).replace(/\/v1$/, "");
}
