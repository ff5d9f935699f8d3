import { readText } from "../../model/answer-body.ts";
import { exchange, headersFor } from "../../model/exchange.ts";
import { IdleWatch } from "../../model/idle-watch.ts";
import { parseJson, recordOf, textIn } from "../../model/json.ts";
import type { Endpoint } from "../../model/types.ts";
import { ollamaRoot } from "../../model/wires/ollama-lines.ts";
import { AppError } from "../../util/errors.ts";

/** Bytes of one layer; a model has several, one after another. */
export type PullProgress = { status: string; layer?: string; total?: number; completed?: number };

/** A server that checks a large file is silent for a while. */
const IDLE_MS = 10 * 60_000;

/**
 * Downloads a model through the server. A stopped download goes on where it was when it is asked for again. Throws
 * AppError: "model.unreachable" when the registry can't be reached, "model.rejected" for a name it does not have.
 */
export async function* pullModel(
  name: string,
  endpoint: Endpoint,
  signal: AbortSignal,
): AsyncGenerator<PullProgress, void> {
  const watch = new IdleWatch(IDLE_MS, IDLE_MS);
  const url = `${ollamaRoot(endpoint.baseUrl)}/api/pull`;
  const init = {
    method: "POST",
    headers: headersFor(endpoint, { "content-type": "application/json" }),
    body: JSON.stringify({ model: name, stream: true }),
    signal: AbortSignal.any([signal, watch.signal]),
  };
  try {
    const response = await exchange(url, init, endpoint);
    let held = "";
    let isDone = false;
    for await (const piece of readText(response, watch, signal)) {
      const lines = (held + piece).split("\n");
      held = lines.pop() ?? "";
      for (const line of lines) {
        const progress = readLine(line, name);
        if (progress) yield progress;
        isDone ||= progress?.status === "success";
      }
    }
    if (!isDone && readLine(held, name)?.status !== "success") throw cutShort(name);
  } catch (cause) {
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    throw cause;
  } finally {
    watch.stop();
  }
}

function readLine(line: string, name: string): PullProgress | undefined {
  const { error, status, digest, total, completed } = recordOf(parseJson(line));
  if (typeof error === "string") throw failed(error, name);
  if (textIn(status) === undefined) return undefined;
  return {
    status: String(status),
    ...(typeof digest === "string" ? { layer: digest } : {}),
    ...(typeof total === "number" ? { total, completed: typeof completed === "number" ? completed : 0 } : {}),
  };
}

/** The status of the answer is 200 by then, so only the words tell what happened. */
function failed(error: string, name: string): AppError {
  if (
    /no such host|dial tcp|i\/o timeout|network is unreachable|connection refused|TLS handshake/i.test(error)
  ) {
    return new AppError(
      "model.unreachable",
      `Ollama could not reach its registry to download ${name}: ${error}`,
      {
        hint:
          "without a network, bring the model on a disk: copy ~/.ollama/models from another machine, or a GGUF file, " +
          `and make a model of it with \`ollama create ${name} -f Modelfile\` (first line: FROM ./file.gguf)`,
      },
    );
  }
  if (/file does not exist|not found/i.test(error)) {
    return new AppError("model.rejected", `Ollama's registry has no model named ${name}`, {
      hint: "look the name and its tag up at ollama.com/library",
    });
  }
  return new AppError("model.rejected", `downloading ${name} failed: ${error}`, {
    hint: "run the same command again: the download goes on where it stopped",
  });
}

function cutShort(name: string): AppError {
  return new AppError("model.stream_cut", `the download of ${name} ended before it was complete`, {
    hint: "run the same command again: the download goes on where it stopped",
  });
}
