import type { LoadedConfig } from "../config/load.ts";
import type { ModelRequest, RequestPreview } from "../model/types.ts";
import { loadWire } from "../model/wire.ts";
import type { Provider } from "../providers/types.ts";
import { AppError } from "../util/errors.ts";
import { openSession } from "./runtime.ts";

export type PreviewOptions = {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  prompt: string;
};

const MASKED = "(secret)";

/** The first request of a session for this prompt, as it would be sent, with secrets masked. Nothing is sent. */
export async function firstRequest(options: PreviewOptions, signal: AbortSignal): Promise<RequestPreview> {
  const { config, cwd, prompt } = options;
  const seen: { provider?: Provider; request?: ModelRequest } = {};
  await using opened = await openSession({
    config,
    env: options.env,
    cwd,
    source: "exec",
    thread: { kind: "new" },
    isEphemeral: true,
    extras: {},
    wrapProvider: (provider) => {
      seen.provider = provider;
      return recording(provider, (request) => {
        // A harness may ask again when an answer makes no call.
        seen.request ??= request;
      });
    },
    signal,
  });
  await opened.session.submit([{ type: "input_text", text: prompt }]);
  const { provider, request } = seen;
  if (!provider || !request) throw new AppError("bug", "the session made no request");
  return await previewOf(provider, request, signal);
}

function recording(provider: Provider, note: (request: ModelRequest) => void): Provider {
  return {
    ...provider,
    async *stream(request: ModelRequest) {
      note(request);
      yield {
        type: "item",
        item: { type: "message", role: "assistant", content: [{ type: "output_text", text: "(preview)" }] },
      };
      yield { type: "finished", stop: "end" };
    },
  };
}

async function previewOf(
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<RequestPreview> {
  const wire = await loadWire(provider.wire);
  if (!wire.preview) {
    throw new AppError("config", `requests on the ${provider.wire} wire can't be shown yet`, {
      hint: "choose a provider with the responses, chat or messages wire",
    });
  }
  const endpoint = await endpointOf(provider, signal);
  const masked = Object.fromEntries(
    Object.entries(endpoint.headers).map(([name, value]) => [
      name,
      /key|token|auth|secret|cookie/i.test(name) ? MASKED : value,
    ]),
  );
  return wire.preview(request, { ...endpoint, headers: masked, apiKey: MASKED });
}

/** A key that is missing is no reason not to show what would be sent with it. */
async function endpointOf(provider: Provider, signal: AbortSignal) {
  try {
    return await provider.endpoint(signal);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "auth") throw cause;
    const baseUrl = provider.baseUrl ?? "";
    return { baseUrl, headers: {}, query: {}, quirks: {}, idleTimeoutMs: 0, maxRetries: 0 };
  }
}
