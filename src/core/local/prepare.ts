import { AppError } from "../../util/errors.ts";
import { prepareLmStudio } from "./lmstudio.ts";
import { prepareOllama } from "./ollama.ts";
import type { LocalModel, LocalQuestion } from "./types.ts";

/**
 * What a server of this machine needs before it is asked: the exact name, the window, what the model can do. A server
 * that is neither Ollama nor LM Studio is used as any other one. Throws AppError.
 */
export async function prepareLocal(question: LocalQuestion, signal: AbortSignal): Promise<LocalModel> {
  const { provider } = question;
  const isLmStudio = provider.id === "lmstudio";
  const prepared = isLmStudio
    ? await prepareLmStudio(question, signal)
    : await prepareOllama(question, signal);
  return prepared ?? asOrdinaryServer(question, isLmStudio ? "LM Studio" : "Ollama");
}

function asOrdinaryServer({ provider, named }: LocalQuestion, wanted: string): LocalModel {
  const name = named ?? provider.defaultModel;
  if (name === undefined) {
    throw new AppError("config", `no model is chosen for the provider ${provider.id}`, {
      hint: "name one with -m MODEL",
    });
  }
  return {
    provider: provider.wire === "ollama" ? { ...provider, wire: "chat" } : provider,
    model: provider.model(name),
    warnings: [
      `${provider.baseUrl ?? "the server"} is not ${wanted}; it is used through its chat completions interface`,
    ],
  };
}
