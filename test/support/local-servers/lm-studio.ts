import { z } from "zod";
import type { FakeAnswer } from "../fake-answer.ts";
import { serveOnLoopback } from "../loopback.ts";
import { bodyOf, chatFrames, eventStream, promptTokens, type SeenChat, says } from "./chat-answers.ts";

const LoadCall = z.object({ model: z.string(), context_length: z.number() });

export type FakeLmModel = { key: string; maxContext: number; loadedContext?: number; tools: boolean };
export type LmStudioOptions = {
  models: readonly FakeLmModel[];
  version?: "0.3" | "0.4";
  /** One sentence to every chat, when absent. An error is a frame of its own inside a stream with status 200. */
  turns?: readonly (FakeAnswer | { error: string })[];
  /** Its setting for prompts that are too long: to cut out the middle without a word is its default. */
  overflow?: "truncateMiddle" | "stopAtLimit";
  /** Why it can't load models. */
  loadProblem?: string;
};
export type FakeLmStudio = AsyncDisposable & { baseUrl: string; paths: string[]; chats: SeenChat[] };

/** What a model is loaded with by its first request, when nobody has said anything. */
const SAVED_CONTEXT = 4096;

/**
 * Answers like LM Studio: 200 for every path, with an error text for those it does not have (its bug tracker, 618). Its
 * list of models has two forms, the newer one since 0.4 (its REST documentation). Texts of errors are those that users
 * reported there.
 */
export function startLmStudioServer(options: LmStudioOptions): FakeLmStudio {
  const fake = new FakeStudio(options);
  const server = serveOnLoopback((request) => fake.handle(request));
  return { ...server, baseUrl: `${server.origin}/v1`, paths: fake.paths, chats: fake.chats };
}

class FakeStudio {
  readonly paths: string[] = [];
  readonly chats: SeenChat[] = [];
  readonly #options: LmStudioOptions;
  readonly #models: FakeLmModel[];
  #answered = 0;

  constructor(options: LmStudioOptions) {
    this.#options = options;
    this.#models = options.models.map((model) => ({ ...model }));
  }

  async handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const key = `${request.method} ${pathname}`;
    this.paths.push(key);
    const isNew = this.#options.version !== "0.3";
    if (key === "GET /api/v0/models")
      return Response.json({ object: "list", data: this.#models.map(olderEntry) });
    if (key === "GET /api/v1/models" && isNew) return Response.json({ models: this.#models.map(newerEntry) });
    if (key === "POST /api/v1/models/load" && isNew) return this.#load(LoadCall.parse(await request.json()));
    if (key === "POST /v1/chat/completions") return this.#chat(await bodyOf(request));
    return Response.json({ error: `Unexpected endpoint or method. (${key})` });
  }

  #load(body: z.infer<typeof LoadCall>): Response {
    const { loadProblem } = this.#options;
    const model = this.#models.find((one) => one.key === body.model);
    if (!model) return Response.json({ type: "model_not_found", message: "no such model" }, { status: 404 });
    if (loadProblem !== undefined) {
      const error = { type: "model_load_failed", code: "model_load_failed", message: loadProblem };
      return Response.json({ error }, { status: 500 });
    }
    model.loadedContext = body.context_length;
    return Response.json({ type: "llm", instance_id: model.key, load_time_seconds: 1, status: "loaded" });
  }

  #chat(body: Record<string, unknown>): Response {
    this.chats.push({ path: "/v1/chat/completions", body });
    // With one model loaded, any name is served by it.
    const model =
      this.#models.find(({ key }) => key === body["model"]) ??
      this.#models.find(({ loadedContext }) => loadedContext !== undefined);
    if (!model) return noModel();
    model.loadedContext ??= SAVED_CONTEXT;
    const input = promptTokens(body);
    const isTooLong = input > model.loadedContext;
    if (isTooLong && this.#options.overflow === "stopAtLimit") return tooLong(input, model.loadedContext);
    const { turns } = this.#options;
    const turn = turns ? turns[this.#answered] : says("all done");
    this.#answered += 1;
    if (!turn) return Response.json({ error: "the script has no turn left" }, { status: 500 });
    if ("error" in turn)
      return eventStream([
        `event: error\ndata: ${JSON.stringify({ error: turn.error, message: turn.error })}\n\n`,
      ]);
    const counted = isTooLong ? Math.floor(model.loadedContext / 2) : input;
    return eventStream(chatFrames({ ...turn, usage: { input: counted, output: 5 } }, body, this.#answered));
  }
}

function tooLong(input: number, context: number): Response {
  const text = `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${input}>= n_ctx: ${context}). Try to load the model with a larger context length, or provide a shorter input.`;
  return Response.json({ error: text }, { status: 400 });
}

function noModel(): Response {
  const error = {
    message: "No models loaded. Please load a model in the developer page or use the 'lms load' command.",
    type: "invalid_request_error",
    param: "model",
    code: "model_not_found",
  };
  return Response.json({ error }, { status: 404 });
}

function newerEntry({ key, maxContext, loadedContext, tools }: FakeLmModel): object {
  const instance = { id: key, config: { context_length: loadedContext, flash_attention: true } };
  return {
    type: "llm",
    key,
    publisher: "someone",
    display_name: key,
    loaded_instances: loadedContext === undefined ? [] : [instance],
    max_context_length: maxContext,
    capabilities: { vision: false, trained_for_tool_use: tools },
  };
}

function olderEntry({ key, maxContext, loadedContext, tools }: FakeLmModel): object {
  return {
    id: key,
    object: "model",
    type: "llm",
    state: loadedContext === undefined ? "not-loaded" : "loaded",
    max_context_length: maxContext,
    ...(loadedContext === undefined ? {} : { loaded_context_length: loadedContext }),
    capabilities: tools ? ["tool_use"] : [],
  };
}
