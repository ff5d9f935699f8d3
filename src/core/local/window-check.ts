import type { Endpoint, ModelEvent, ModelRequest } from "../../model/types.ts";
import { loadedModels } from "../../providers/ollama/client.ts";

type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
type Asked = { name: string; tokens: number; endpoint(signal: AbortSignal): Promise<Endpoint> };

/**
 * Looks once, after the first answer, whether the model was loaded with the window that was asked for: Ollama lowers it
 * without a word to what the model was made for, and an old server may not have said what that is.
 */
export function withWindowCheck(stream: Stream, asked: Asked): Stream {
  let isChecked = false;
  return async function* (request, signal) {
    for await (const event of stream(request, signal)) {
      if (event.type === "finished" && !isChecked) {
        isChecked = true;
        const notice = await problemOf(asked, signal);
        if (notice !== undefined) yield { type: "notice", message: notice };
      }
      yield event;
    }
  };
}

async function problemOf(
  { name, tokens, endpoint }: Asked,
  signal: AbortSignal,
): Promise<string | undefined> {
  const loaded = await loadedModels(await endpoint(signal), signal).catch(() => []);
  const window = loaded.find((model) => model.name === name)?.contextLength;
  if (window === undefined || window >= tokens) return undefined;
  return `Ollama has loaded ${name} with ${window} tokens, not with the ${tokens} that were asked for: set model_context_window = ${window}`;
}
