import type { LoadedConfig } from "../../config/load.ts";
import { SECRET_NAME } from "../../model/secret-free.ts";
import type { Endpoint, ModelRequest, RequestPreview } from "../../model/types.ts";
import { loadWire } from "../../model/wire.ts";
import type { Provider } from "../../providers/types.ts";
import { AppError } from "../../util/errors.ts";
import { openSession } from "../runtime.ts";

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
  const endpoint = await endpointOf(provider, signal);
  const preview = wire.preview(request, endpoint);
  return { ...preview, url: withoutSecrets(preview.url), headers: masked(preview.headers) };
}

/** Those of the provider, and those that a harness has put in their place. */
function masked(headers: RequestPreview["headers"]): RequestPreview["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) && !value.includes(MASKED) ? MASKED : value,
    ]),
  );
}

function withoutSecrets(address: string): string {
  const url = new URL(address);
  const secret = [...url.searchParams.keys()].filter((name) => SECRET_NAME.test(name));
  if (secret.length === 0) return address;
  for (const name of secret) url.searchParams.set(name, MASKED);
  return url.href;
}

/** With the key masked. A key that is missing is no reason not to show what would be sent with it. */
async function endpointOf(provider: Provider, signal: AbortSignal): Promise<Endpoint> {
  try {
    const endpoint = await provider.endpoint(signal);
    return endpoint.apiKey === undefined ? endpoint : { ...endpoint, apiKey: MASKED };
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "auth") throw cause;
    const baseUrl = provider.baseUrl ?? "";
    return {
      baseUrl,
      headers: {},
      query: {},
      quirks: {},
      idleTimeoutMs: 0,
      maxRetries: 0,
      apiKey: MASKED,
    };
  }
}
