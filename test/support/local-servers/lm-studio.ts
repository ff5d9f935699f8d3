import { z } from "zod";

const LoadCall = z.object({ model: z.string(), context_length: z.number() });

export type FakeLmModel = { key: string; maxContext: number; loadedContext?: number; tools: boolean };
export type FakeLmStudio = AsyncDisposable & { baseUrl: string; paths: string[] };

/**
 * Answers like LM Studio: 200 for every path, with an error text for those it does not have (its bug tracker, 618). Its
 * list of models has two forms, the newer one since 0.4 (its REST documentation). Chats are answered with one sentence.
 */
export function startLmStudioServer(options: {
  models: readonly FakeLmModel[];
  version?: "0.3" | "0.4";
}): FakeLmStudio {
  const models = options.models.map((model) => ({ ...model }));
  const isNew = options.version !== "0.3";
  const paths: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const key = `${request.method} ${pathname}`;
      paths.push(key);
      if (key === "GET /api/v0/models")
        return Response.json({ object: "list", data: models.map(olderEntry) });
      if (key === "GET /api/v1/models" && isNew) return Response.json({ models: models.map(newerEntry) });
      if (key === "POST /v1/chat/completions") return chat();
      if (key === "POST /api/v1/models/load" && isNew) {
        const body = LoadCall.parse(await request.json());
        const model = models.find((one) => one.key === body.model);
        if (!model)
          return Response.json({ type: "model_not_found", message: "no such model" }, { status: 404 });
        model.loadedContext = body.context_length;
        return Response.json({ type: "llm", instance_id: model.key, load_time_seconds: 1, status: "loaded" });
      }
      return Response.json({ error: `Unexpected endpoint or method. (${key})` });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    paths,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
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

function chat(): Response {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const body = `${chunk({ role: "assistant", content: "all done" }, null)}${chunk({}, "stop")}data: [DONE]\n\n`;
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
