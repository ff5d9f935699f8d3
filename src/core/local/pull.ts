import type { LoadedConfig } from "../../config/load.ts";
import { ollamaRoot } from "../../model/wires/ollama-lines.ts";
import { installedModels, ollamaVersion } from "../../providers/ollama/client.ts";
import { findInstalled, isCloudName } from "../../providers/ollama/names.ts";
import { type PullProgress, pullModel } from "../../providers/ollama/pull.ts";
import { resolveProvider } from "../../providers/resolve.ts";
import { AppError } from "../../util/errors.ts";
import { VERSION } from "../../util/package.ts";

export type PullRequest = {
  name: string;
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  /** Download even when it is installed: there may be a newer one. */
  isUpdate: boolean;
};

/**
 * Starts the download of a model into Ollama. Undefined when it is there already. Throws AppError before anything leaves
 * the machine when that is forbidden or can't work.
 */
export async function startPull(
  { name, config, env, isUpdate }: PullRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<PullProgress> | undefined> {
  const { values } = config;
  const isOllama = values.model_providers[values.model_provider]?.wire_api === "ollama";
  const id = isOllama ? values.model_provider : "ollama";
  const client = { env, originator: "interpreter_pull", version: VERSION };
  const provider = await resolveProvider({ ...client, values, id });
  const endpoint = await provider.endpoint(signal);
  if ((await ollamaVersion(endpoint, signal)) === undefined) {
    throw new AppError("config", `what answers at ${ollamaRoot(endpoint.baseUrl)} is not Ollama`, {
      hint: "for LM Studio, use `lms get NAME`",
    });
  }
  const installed = await installedModels(endpoint, signal);
  const names = installed.map((model) => model.name);
  if (findInstalled(name, names) !== undefined && !isUpdate) return undefined;
  if (values.air_gapped) throw forbidden(name);
  return pullModel(name, endpoint, {}, signal);
}

function forbidden(name: string): AppError {
  const what = isCloudName(name) ? "a model in the cloud" : "a download";
  return new AppError("config", `air_gapped = true forbids ${what}: ${name}`, {
    hint:
      "bring it on a disk: copy ~/.ollama/models from a machine that has it, or a GGUF file, and run " +
      `\`ollama create ${name} -f Modelfile\` (first line: FROM ./file.gguf)`,
  });
}
