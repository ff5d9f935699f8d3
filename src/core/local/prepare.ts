import { prepareLmStudio } from "./lmstudio.ts";
import { prepareOllama } from "./ollama.ts";
import { prepareServed } from "./served.ts";
import type { LocalModel, LocalQuestion } from "./types.ts";

/**
 * What a server of this machine needs before it is asked: the exact name, the window, what the model can do. A server
 * that is neither Ollama nor LM Studio is used as any other one. Throws AppError.
 */
export async function prepareLocal(question: LocalQuestion, signal: AbortSignal): Promise<LocalModel> {
  const isLmStudio = question.provider.id === "lmstudio";
  const prepared = isLmStudio
    ? await prepareLmStudio(question, signal)
    : await prepareOllama(question, signal);
  return prepared ?? (await asOrdinaryServer(question, isLmStudio ? "LM Studio" : "Ollama", signal));
}

async function asOrdinaryServer(
  question: LocalQuestion,
  wanted: string,
  signal: AbortSignal,
): Promise<LocalModel> {
  // What another server would be asked for without a name is not what it has.
  const { defaultModel: _, ...rest } = question.provider;
  const provider = rest.wire === "ollama" ? { ...rest, wire: "chat" as const } : rest;
  const found = await prepareServed({ ...question, provider }, signal);
  const note = `${provider.baseUrl ?? "the server"} is not ${wanted}; it is used through its chat completions interface`;
  return { ...found, warnings: [note, ...found.warnings] };
}
