import { serveOnLoopback } from "../loopback.ts";
import { answerLines, answerObject, emptyAnswer } from "./chat.ts";
import { type Refusal, refusalOf } from "./check.ts";
import { chunkStream, compatError, completion, nativeRequest } from "./compat.ts";
import { contextLengthOf, showBody, tagEntry } from "./facts.ts";
import { sameModel, withTag } from "./names.ts";
import { fitPrompt } from "./prompt.ts";
import { Downloads, Torn } from "./pull.ts";
import type { ChatTurn, InstalledModel, OllamaServer, SeenRequest, ServerOptions } from "./types.ts";

type Body = Record<string, unknown>;
type Loaded = { model: InstalledModel; context: number; shift: boolean; options: string };

/**
 * A server on loopback that behaves like Ollama towards a client; answers come from a script. It shares no code with
 * the program, so that both can't share a misunderstanding. What it imitates was read in Ollama's sources (v0.33.0-rc2);
 * the file of theirs that says so is named where it matters.
 */
export function startOllamaServer(options: ServerOptions): OllamaServer {
  const fake = new FakeOllama(options);
  const server = serveOnLoopback((request) => fake.handle(request));
  return {
    ...server,
    requests: fake.requests,
    chats: () => fake.requests.filter(isChat).map(({ body }) => body ?? {}),
    loads: () => fake.loadCount,
    overflows: () => fake.overflowCount,
    arrived: (name) => fake.downloads.arrived(name),
    leftPull: fake.leftPull.promise,
  };
}

function isChat({ path, body }: SeenRequest): boolean {
  const messages = body?.["messages"];
  return path === "/api/chat" && Array.isArray(messages) && messages.length > 0;
}

class FakeOllama {
  readonly requests: SeenRequest[] = [];
  loadCount = 0;
  overflowCount = 0;
  readonly downloads: Downloads;
  readonly leftPull = Promise.withResolvers<void>();
  readonly #options: ServerOptions;
  readonly #models: InstalledModel[];
  readonly #loaded = new Map<string, Loaded>();
  #turnsUsed = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#models = [...options.models];
    this.downloads = new Downloads(options);
  }

  async handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body = parseBody(text);
    this.requests.push({ method: request.method, path: pathname, body });
    const method = request.method === "HEAD" ? "GET" : request.method;
    switch (`${method} ${pathname}`) {
      case "GET /":
        return new Response("Ollama is running", {
          headers: { "content-type": "text/plain; charset=utf-8" },
        });
      case "GET /api/version":
        return json({ version: this.#options.version ?? "0.32.15" });
      case "GET /api/tags":
        return json({ models: this.#models.map((model) => tagEntry(model, !this.#isOlderThan(0, 25))) });
      case "GET /api/ps":
        return json({ models: [...this.#loaded.values()].map(psEntry) });
      case "GET /v1/models":
        return json({ object: "list", data: this.#modelList() });
      case "POST /v1/chat/completions":
        return await this.#completions(body ?? {});
      case "POST /api/show":
        return this.#show(body);
      case "POST /api/chat":
        return await this.#chat(text === "" ? undefined : body, text);
      case "POST /api/pull":
        return await this.#pull(body ?? {});
      default:
        return noSuchRoute(pathname);
    }
  }

  #find(name: string): InstalledModel | undefined {
    return this.#models.find((model) => sameModel(model.name, name));
  }

  /** `data` is null, not an empty list, when nothing is installed (openai/openai.go). */
  #modelList(): Body[] | null {
    const list = this.#models.map(({ name }) => ({
      id: withTag(name),
      object: "model",
      created: 1_787_306_400,
      owned_by: "library",
    }));
    return list.length === 0 ? null : list;
  }

  #show(body: Body | undefined): Response {
    const name = String(body?.["model"] ?? body?.["name"] ?? "");
    if (name === "") return problem(400, "model is required");
    const model = this.#find(name);
    // Unlike the chat endpoint, this one adds the tag to the name in its message.
    return model
      ? json(showBody(model, body?.["verbose"] === true))
      : problem(404, `model '${withTag(name)}' not found`);
  }

  async #pull(body: Body): Promise<Response> {
    const name = String(body["model"] ?? body["name"] ?? "");
    const left = new AbortController();
    const lines = this.#pullLines(name, left.signal);
    const onLeave = () => {
      left.abort();
      this.leftPull.resolve();
    };
    if (body["stream"] !== false) return streamed(lines, "close", onLeave);
    let last: Body = {};
    for await (const line of lines) last = line;
    return json(last, "error" in last ? 500 : 200);
  }

  async *#pullLines(name: string, signal: AbortSignal): AsyncGenerator<Body, void> {
    for await (const line of this.downloads.lines(name, this.#find(name) !== undefined, signal)) {
      if (line["status"] === "success" && !this.#find(name)) this.#models.push({ name });
      yield line;
    }
  }

  async #chat(body: Body | undefined, text: string): Promise<Response> {
    if (text !== "" && body === undefined)
      return problem(400, "invalid character 'x' looking for beginning of value");
    const outcome = await this.#outcome(body);
    if ("empty" in outcome) return json(outcome.empty);
    if ("error" in outcome) return problem(outcome.status, outcome.error);
    const { turn, facts } = outcome;
    return turn.kind === "status" ? json(turn.body, turn.status) : reply(turn, facts, body ?? {});
  }

  /** The same conversation through the interface of OpenAI, which Ollama has as well. */
  async #completions(body: Body): Promise<Response> {
    const request = nativeRequest(body);
    const outcome = "error" in request ? request : await this.#outcome(request.native);
    if ("error" in outcome) return json(compatError(outcome), outcome.status);
    if ("empty" in outcome || outcome.turn.kind === "status") return problem(500, "not in this script");
    const { turn, facts } = outcome;
    if (body["stream"] !== true) return json(completion(answerObject(turn, facts), facts.model));
    const wantsUsage = isBody(body["stream_options"]) && body["stream_options"]["include_usage"] === true;
    const text = chunkStream(answerLines(turn, facts), facts.model, wantsUsage);
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  }

  async #outcome(body: Body | undefined): Promise<Outcome> {
    const refusal = refusalOf(body, (name) => this.#find(name), this.#options);
    if (refusal) return refusal;
    const name = String(body?.["model"]);
    const model = this.#find(name);
    if (!body || !model) return { status: 404, error: `model '${name}' not found` };
    const messages = body["messages"];
    const isEmpty = !Array.isArray(messages) || messages.length === 0;
    if (isEmpty && body["keep_alive"] === 0) {
      this.#loaded.delete(withTag(model.name));
      return { empty: emptyAnswer(name, "unload") };
    }
    const { loaded, isNew } = await this.#load(model, body);
    if (isEmpty) return { empty: emptyAnswer(name, "load") };
    return this.#answer(name, loaded, isNew, body);
  }

  /** A change of the load-time options, or of `shift`, loads the model anew (server/sched.go). */
  async #load(model: InstalledModel, body: Body): Promise<{ loaded: Loaded; isNew: boolean }> {
    const key = withTag(model.name);
    const wanted = loadOptions(model, body, this.#options.defaultContext ?? 4096);
    const present = this.#loaded.get(key);
    if (present && present.options === wanted.options && present.shift === wanted.shift)
      return { loaded: present, isNew: false };
    this.#loaded.delete(key);
    await this.#options.load?.();
    this.loadCount += 1;
    this.#loaded.set(key, wanted);
    return { loaded: wanted, isNew: true };
  }

  #answer(name: string, { model, context }: Loaded, isNew: boolean, body: Body): Outcome {
    const calls = model.calls ?? "own";
    // Versions before 0.12 know neither of these switches.
    const switches = this.#isOlderThan(0, 12) ? { truncate: true, shift: true } : {};
    const prompt = fitPrompt({ ...body, ...switches }, context, calls);
    if ("tooLong" in prompt) {
      this.overflowCount += 1;
      return this.#tooLong(prompt.tooLong, context, body);
    }
    const { turns } = this.#options;
    const turn = typeof turns === "function" ? turns(body) : turns?.[this.#turnsUsed];
    this.#turnsUsed += 1;
    if (!turn) return { status: 500, error: "the script has no turn left for this request" };
    const facts = {
      model: name,
      promptTokens: prompt.tokens,
      loadNs: isNew ? 1_500_000_000 : 0,
      calls,
      hasIds: !this.#isOlderThan(0, 13),
    };
    return { turn, facts };
  }

  /** How an overflow is told depends on what runs the model (1.7 of the facts: server/routes.go, llm/llama_server.go). */
  #tooLong(tokens: number, context: number, body: Body): Refusal {
    const refusal = (error: string) => ({ status: 400, error });
    if (this.#isOlderThan(0, 30)) return refusal("the input length exceeds the context length");
    if (body["truncate"] !== false) {
      return refusal(
        "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length",
      );
    }
    const message = `request (${tokens} tokens) exceeds the available context size (${context} tokens), try increasing it`;
    const facts = { type: "exceed_context_size_error", n_prompt_tokens: tokens, n_ctx: context };
    return refusal(JSON.stringify({ error: { code: 400, message, ...facts } }));
  }

  #isOlderThan(major: number, minor: number): boolean {
    const [a = 0, b = 0] = (this.#options.version ?? "0.32.15").split(".").map(Number);
    return a < major || (a === major && b < minor);
  }
}

type Outcome = Refusal | { empty: Body } | { turn: ChatTurn; facts: AnswerFacts };
type AnswerFacts = Parameters<typeof answerLines>[1];

function reply(turn: Extract<ChatTurn, { kind: "answer" }>, facts: AnswerFacts, body: Body): Response {
  if (body["stream"] === false) {
    return typeof turn.end === "object" ? problem(500, turn.end.error) : json(answerObject(turn, facts));
  }
  const lines = answerLines(turn, facts);
  // What fails before the first line is a status, not a line.
  const [first] = lines;
  if (typeof turn.end === "object" && first && "error" in first) return problem(500, turn.end.error);
  return streamed(lines, turn.end === "cut" || turn.end === "hang" ? turn.end : "close");
}

/** Server default, then the model's own parameters, then the request; never above what the model was trained for. */
function loadOptions(model: InstalledModel, body: Body, defaultContext: number): Loaded {
  const options = isBody(body["options"]) ? body["options"] : {};
  const asked = Number(options["num_ctx"] ?? model.parameters?.["num_ctx"] ?? defaultContext);
  const context = Math.max(4, Math.min(asked, contextLengthOf(model)));
  const others = ["num_batch", "num_gpu", "main_gpu", "use_mmap", "num_thread"].map((key) => options[key]);
  return {
    model,
    context,
    shift: body["shift"] !== false,
    options: JSON.stringify([context, ...others]),
  };
}

function psEntry({ model, context }: Loaded): Body {
  const size = 2_000_000_000 + context * 1000;
  const entry = tagEntry(model, false);
  return {
    name: entry["name"],
    model: entry["model"],
    size,
    digest: entry["digest"],
    details: entry["details"],
    expires_at: "2026-08-21T10:05:00Z",
    size_vram: size,
    context_length: context,
  };
}

const ROUTES = [
  "/",
  "/api/version",
  "/api/tags",
  "/api/ps",
  "/api/show",
  "/api/chat",
  "/api/pull",
  "/v1/models",
  "/v1/chat/completions",
];

function noSuchRoute(path: string): Response {
  const [status, text] = ROUTES.includes(path)
    ? [405, "405 method not allowed"]
    : [404, "404 page not found"];
  return new Response(text, { status, headers: { "content-type": "text/plain" } });
}

function problem(status: number, error: string): Response {
  return json({ error }, status);
}

function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}

type Lines = Iterable<Body> | AsyncIterable<Body>;

function streamed(lines: Lines, end: "close" | "cut" | "hang", onLeave?: () => void): Response {
  const encoder = new TextEncoder();
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      try {
        for await (const line of lines) {
          if (isLeft) return;
          controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
          // One write for each line, so that the client sees them one by one.
          await new Promise((resolve) => setImmediate(resolve));
        }
      } catch (cause) {
        if (!(cause instanceof Torn)) throw cause;
        controller.error(cause);
        return;
      }
      if (isLeft) return;
      if (end === "close") controller.close();
      if (end === "cut") controller.error(new Torn());
    },
    cancel() {
      isLeft = true;
      onLeave?.();
    },
  });
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}

function parseBody(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
