import type { Endpoint, ModelEvent, ModelRequest, Wire } from "../../model/types.ts";
import { loadWire } from "../../model/wire.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import type { ModelLink } from "../turn/settings.ts";

/** Connects a session to its provider. The wire is loaded with the first request and kept: it learns what a server refuses. */
export function linkModel(provider: Provider, info: ModelInfo): ModelLink {
  let loading: Promise<Wire> | undefined;
  let kept: Endpoint | undefined;
  async function* ask(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    loading ??= loadWire(provider.wire);
    const [wire, fresh] = await Promise.all([loading, provider.endpoint(signal)]);
    kept = Object.assign(kept ?? fresh, fresh);
    yield* wire.stream(request, kept, signal);
  }
  return {
    provider: provider.id,
    info,
    streamRetries: provider.streamMaxRetries,
    stream: provider.stream?.bind(provider) ?? ask,
  };
}
