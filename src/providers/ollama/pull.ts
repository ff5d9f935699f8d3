import { readText } from "../../model/answer-body.ts";
import { connectionError } from "../../model/connection-error.ts";
import { exchange, headersFor } from "../../model/exchange.ts";
import { IdleWatch } from "../../model/idle-watch.ts";
import { clip } from "../../model/problem.ts";
import type { Endpoint } from "../../model/types.ts";
import { ollamaRoot } from "../../model/wires/ollama-lines.ts";
import { sleep } from "../../util/async.ts";
import { AppError, toAppError } from "../../util/errors.ts";
import { parseJson, recordOf } from "../../util/json.ts";
import { bytesIn, labelIn } from "../server-facts.ts";

/** Bytes of one layer; a model has several, one after another. */
export type PullProgress = { status: string; layer?: string; total?: number; completed?: number };

/** A server that checks a large file is silent for a while. */
const IDLE_MS = 10 * 60_000;
/** It says at once that it begins. */
const START_MS = 60_000;
/** Times in a row that a broken connection is taken up again without a byte more than before. */
const MOST_BARREN = 5;
const RESUME_AFTER_MS = 2_000;
/** No model has this many parts. */
const MOST_LAYERS = 1_000;

export type PullOptions = {
  /** How long to wait before a broken connection is taken up again; waits that bring nothing get longer. */
  resumeAfterMs?: number;
};

/**
 * Downloads a model through the server. A connection that breaks is taken up again: the server keeps what it has, and goes
 * on from there, as it does when a stopped download is asked for another time. Throws AppError: "model.unreachable" when
 * the registry can't be reached, "model.rejected" for a name it does not have, "model.stream_cut" when the connection
 * breaks again and again.
 */
export async function* pullModel(
  name: string,
  endpoint: Endpoint,
  { resumeAfterMs = RESUME_AFTER_MS }: PullOptions,
  signal: AbortSignal,
): AsyncGenerator<PullProgress, void> {
  const arrived = new Arrived(name);
  let barren = 0;
  for (;;) {
    let hasAnswered = false;
    try {
      for await (const step of onePull(name, endpoint, signal)) {
        hasAnswered = true;
        if (arrived.grows(step)) barren = 0;
        yield step;
      }
      return;
    } catch (cause) {
      if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
      const { code } = toAppError(cause);
      // A server that is being restarted listens to nobody for a while.
      const isAway = code === "model.unreachable" && !hasAnswered && !arrived.isNothing;
      barren += 1;
      if (!(isAway || code === "model.stream_cut") || barren > MOST_BARREN) throw cause;
    }
    yield { status: "the connection broke; going on where it was" };
    await sleep(resumeAfterMs * barren, signal);
  }
}

/** The most that has come of each layer. */
class Arrived {
  readonly #name: string;
  readonly #layers = new Map<string, number>();

  constructor(name: string) {
    this.#name = name;
  }

  get isNothing(): boolean {
    return this.#layers.size === 0;
  }

  /** Is more there than ever before? Throws AppError for what can't be a model. */
  grows({ layer = "", completed = 0 }: PullProgress): boolean {
    if (completed <= (this.#layers.get(layer) ?? 0)) return false;
    this.#layers.set(layer, completed);
    if (this.#layers.size > MOST_LAYERS) throw tooManyLayers(this.#name);
    return true;
  }
}

async function* onePull(
  name: string,
  endpoint: Endpoint,
  signal: AbortSignal,
): AsyncGenerator<PullProgress, void> {
  const watch = new IdleWatch(IDLE_MS, START_MS);
  try {
    const response = await request(name, endpoint, watch, signal);
    let held = "";
    let steps = 0;
    let isDone = false;
    for await (const piece of readText(response, watch, signal, Number.POSITIVE_INFINITY)) {
      const lines = (held + piece).split("\n");
      held = lines.pop() ?? "";
      if (held.length > LONGEST_LINE) throw noDownload(response.url);
      for (const line of lines) {
        const progress = readLine(line, name);
        if (!progress) continue;
        steps += 1;
        yield progress;
        isDone ||= progress.status === "success";
      }
    }
    const last = readLine(held, name);
    if (steps === 0 && last === undefined && held.trim() !== "") throw noDownload(response.url);
    if (!isDone && last?.status !== "success") throw cutShort(name);
  } finally {
    watch.stop();
  }
}

const LONGEST_LINE = 1_000_000;

async function request(
  name: string,
  endpoint: Endpoint,
  watch: IdleWatch,
  signal: AbortSignal,
): Promise<Response> {
  const url = `${ollamaRoot(endpoint.baseUrl)}/api/pull`;
  const init = {
    method: "POST",
    headers: headersFor(endpoint, { "content-type": "application/json" }),
    body: JSON.stringify({ model: name, stream: true }),
    signal: AbortSignal.any([signal, watch.signal]),
  };
  try {
    return await exchange(url, init, endpoint);
  } catch (cause) {
    if (cause instanceof AppError || signal.aborted) throw cause;
    throw watch.hasExpired ? watch.error() : connectionError(cause, url, endpoint.proxy);
  }
}

const LONGEST_DIGEST = 100;

function readLine(line: string, name: string): PullProgress | undefined {
  const { error, status, digest, total, completed } = recordOf(parseJson(line));
  if (typeof error === "string") throw failed(error, name);
  const step = labelIn(status);
  if (step === undefined) return undefined;
  const bytes = bytesIn(total);
  return {
    status: step,
    ...(typeof digest === "string" ? { layer: digest.slice(0, LONGEST_DIGEST) } : {}),
    ...(bytes === undefined ? {} : { total: bytes, completed: Math.min(bytesIn(completed) ?? 0, bytes) }),
  };
}

/** The status of the answer is 200 by then, so only the words tell what happened. */
function failed(error: string, name: string): AppError {
  if (
    /no such host|dial tcp|i\/o timeout|network is unreachable|connection refused|TLS handshake/i.test(error)
  ) {
    return new AppError(
      "model.unreachable",
      `Ollama could not reach its registry to download ${name}: ${clip(error)}`,
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
  return new AppError("model.rejected", `downloading ${name} failed: ${clip(error)}`, {
    hint: "run the same command again: the download goes on where it stopped",
  });
}

function noDownload(url: string): AppError {
  return new AppError(
    "model.rejected",
    `expected the course of a download from ${url}, found something else`,
    {
      hint: "check what answers at that address",
    },
  );
}

function tooManyLayers(name: string): AppError {
  return new AppError(
    "model.rejected",
    `downloading ${name} was given up: it has more than ${MOST_LAYERS} parts`,
    {
      hint: "check what answers at the address of Ollama",
    },
  );
}

function cutShort(name: string): AppError {
  return new AppError("model.stream_cut", `the download of ${name} ended before it was complete`, {
    hint: "run the same command again: the download goes on where it stopped",
  });
}
