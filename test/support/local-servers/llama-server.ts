import { type LoopbackServer, serveOnLoopback } from "../loopback.ts";
import {
  bodyOf,
  type ChatScript,
  chatFrames,
  eventStream,
  promptTokens,
  type SeenChat,
} from "./chat-answers.ts";

export type LlamaServerOptions = {
  /** Path of the file, or what --alias says. */
  model?: string;
  /** Tokens for all slots together, as -c sets them. */
  context: number;
  /** After this many chats the server was started anew with this for each slot. */
  restarted?: { afterChats: number; context: number };
  /** As -np sets them; each slot has its part of the context. */
  slots?: number;
  turns?: ChatScript;
  /** Until it resolves, everything is answered with 503. */
  loading?: Promise<void>;
  /** false: started without templates, so that it has no tool calls. */
  jinja?: boolean;
  /** Builds of September 2025 told an overflow with another text and status 500. */
  build?: "2025-09";
  apiKey?: string;
  port?: number;
};
export type LlamaServer = LoopbackServer & {
  /** Ends in /v1. */
  baseUrl: string;
  /** Chat requests with their bodies, refused ones included. */
  chats: SeenChat[];
  paths: string[];
};

/**
 * Answers like llama.cpp's server (tools/server/README.md and server-context.cpp of llama.cpp): one model, whatever name
 * a request has; /props with the context of one slot; a request that fills the context is always refused.
 */
export function startLlamaServer(options: LlamaServerOptions): LlamaServer {
  const { model = "/models/qwen3-8b-q4_k_m.gguf", slots = 1 } = options;
  const perSlot = Math.floor(options.context / slots);
  const chats: SeenChat[] = [];
  const paths: string[] = [];
  let isLoading = options.loading !== undefined;
  void options.loading?.then(() => {
    isLoading = false;
  });
  let answered = 0;
  const server = serveOnLoopback(async (request) => {
    const { pathname } = new URL(request.url);
    paths.push(`${request.method} ${pathname}`);
    if (isLoading) return problem(503, "Loading model", "unavailable_error");
    if (pathname === "/health") return Response.json({ status: "ok" });
    if (options.apiKey !== undefined && request.headers.get("authorization") !== `Bearer ${options.apiKey}`)
      return problem(401, "Invalid API Key", "authentication_error");
    if (pathname === "/props") return Response.json(propsOf(model, perSlot, slots));
    if (pathname === "/v1/models") return Response.json(modelsOf(model, perSlot));
    if (pathname !== "/v1/chat/completions") return problem(404, "File Not Found", "not_found_error");
    const body = await bodyOf(request);
    const { afterChats = Number.POSITIVE_INFINITY, context = perSlot } = options.restarted ?? {};
    const now = chats.length >= afterChats ? context : perSlot;
    chats.push({ path: pathname, body });
    const refusal = refusalOf(body, now, options);
    if (refusal) return refusal;
    const turn = options.turns?.[answered];
    answered += 1;
    if (!turn) return problem(500, "the script has no turn left", "server_error");
    // Comments keep the line open while a prompt is read.
    return eventStream([":\n\n", ...chatFrames(turn, body, answered)]);
  }, options.port);
  return { ...server, baseUrl: `${server.origin}/v1`, chats, paths };
}

function refusalOf(
  body: Record<string, unknown>,
  perSlot: number,
  { jinja, build }: LlamaServerOptions,
): Response | undefined {
  if (jinja === false && Array.isArray(body["tools"]) && body["tools"].length > 0)
    return problem(500, "tools param requires --jinja flag", "server_error");
  const tokens = promptTokens(body);
  if (tokens < perSlot) return undefined;
  if (build === "2025-09") {
    const text = "the request exceeds the available context size, try increasing it";
    return problem(500, text, "server_error");
  }
  const message = `request (${tokens} tokens) exceeds the available context size (${perSlot} tokens), try increasing it`;
  const facts = { n_prompt_tokens: tokens, n_ctx: perSlot };
  return problem(400, message, "exceed_context_size_error", facts);
}

function propsOf(model: string, perSlot: number, slots: number): object {
  return {
    default_generation_settings: { id: 0, n_ctx: perSlot, params: { temperature: 0.8 } },
    total_slots: slots,
    model_path: model,
    chat_template: "{{ messages }}",
    modalities: { vision: false, audio: false },
    build_info: "b9999-0000000",
  };
}

/** Beside the list that others have stands one in the form of Ollama, which must not be taken for it. */
function modelsOf(model: string, perSlot: number): object {
  const meta = { vocab_type: 2, n_vocab: 151_936, n_ctx: perSlot, n_ctx_train: 40_960, n_embd: 4096 };
  return {
    models: [{ name: model, model, type: "model", capabilities: ["completion"] }],
    object: "list",
    data: [{ id: model, object: "model", created: 1_787_306_400, owned_by: "llamacpp", meta }],
  };
}

function problem(status: number, message: string, type: string, facts: object = {}): Response {
  return Response.json({ error: { code: status, message, type, ...facts } }, { status });
}
