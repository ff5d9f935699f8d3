import { type LoopbackServer, serveOnLoopback } from "../loopback.ts";
import {
  bodyOf,
  type ChatScript,
  chatFrames,
  eventStream,
  promptTokens,
  type SeenChat,
} from "./chat-answers.ts";

type Words = "requested" | "too large" | "passed";
export type VllmOptions = {
  model?: string;
  /** Tokens of prompt and answer together, as --max-model-len sets them. */
  maxModelLen: number;
  /** false: as behind a gateway whose list of models has only names. */
  tellsLength?: boolean;
  turns?: ChatScript;
  /** false: started without --enable-auto-tool-choice. */
  toolParser?: boolean;
  /** Which of its wordings, by age, an overflow has; the oldest have a flat error body. */
  words?: Words;
  port?: number;
};
export type Vllm = LoopbackServer & {
  /** Ends in /v1. */
  baseUrl: string;
  /** Chat requests with their bodies, refused ones included. */
  chats: SeenChat[];
};

/**
 * Answers like vLLM's server (its serving.py, renderers/params.py and tool calling documents): only the model that is
 * served has an answer, what is thought comes as `reasoning`, and prompt and largest answer have to fit together.
 */
export function startVllm(options: VllmOptions): Vllm {
  const { model = "Qwen/Qwen3-8B" } = options;
  const chats: SeenChat[] = [];
  let answered = 0;
  const server = serveOnLoopback(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return new Response(null);
    if (pathname === "/version") return Response.json({ version: "0.11.0" });
    if (pathname === "/v1/models") return Response.json(modelsOf(model, options));
    if (pathname !== "/v1/chat/completions") return Response.json({ detail: "Not Found" }, { status: 404 });
    const body = await bodyOf(request);
    chats.push({ path: pathname, body });
    const refusal = refusalOf(body, model, options);
    if (refusal) return refusal;
    const turn = options.turns?.[answered];
    answered += 1;
    if (!turn) return problem(500, "the script has no turn left", options);
    const frames = chatFrames(turn, body, answered);
    return eventStream(frames.map((frame) => frame.replace('"reasoning_content":', '"reasoning":')));
  }, options.port);
  return { ...server, baseUrl: `${server.origin}/v1`, chats };
}

function refusalOf(body: Record<string, unknown>, model: string, options: VllmOptions): Response | undefined {
  if (body["model"] !== model)
    return problem(404, `The model \`${String(body["model"])}\` does not exist.`, options);
  const { tools, tool_choice: choice = "auto" } = body;
  if (options.toolParser === false && Array.isArray(tools) && tools.length > 0 && choice === "auto")
    return problem(
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      options,
    );
  const input = promptTokens(body);
  const output = Number(body["max_tokens"] ?? body["max_completion_tokens"] ?? 0);
  return input + output <= options.maxModelLen && input < options.maxModelLen
    ? undefined
    : problem(400, overflowText(input, output, options.maxModelLen, options.words ?? "passed"), options);
}

function overflowText(input: number, output: number, maxModelLen: number, words: Words): string {
  switch (words) {
    case "requested":
      return `This model's maximum context length is ${maxModelLen} tokens. However, you requested ${input + output} tokens (${input} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`;
    case "too large":
      return `'max_tokens' or 'max_completion_tokens' is too large: ${output}. This model's maximum context length is ${maxModelLen} tokens and your request has ${input} input tokens (${output} > ${maxModelLen} - ${input}).`;
    case "passed":
      return `You passed ${input} input tokens and requested ${output} output tokens. However, the model's context length is only ${maxModelLen} tokens, resulting in a maximum input length of ${maxModelLen - output} tokens. Please reduce the length of the input prompt.`;
  }
}

function modelsOf(model: string, { maxModelLen, tellsLength = true }: VllmOptions): object {
  const entry = {
    id: model,
    object: "model",
    created: 1_787_306_400,
    owned_by: "vllm",
    root: model,
    parent: null,
    ...(tellsLength ? { max_model_len: maxModelLen } : {}),
    permission: [],
  };
  return { object: "list", data: [entry] };
}

function problem(status: number, message: string, { words }: VllmOptions): Response {
  const type = status === 404 ? "NotFoundError" : "BadRequestError";
  const facts = { message, type, param: null, code: status };
  return Response.json(words === "requested" ? { object: "error", ...facts } : { error: facts }, { status });
}
