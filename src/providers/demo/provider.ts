import { modelInfo } from "../models.ts";
import type { Provider } from "../types.ts";
import { playRecording } from "./recording.ts";

/** A model that needs no network and no key: it plays a recording against the demo repository. */
export function demoProvider(secretVariables: readonly string[]): Provider {
  return {
    id: "demo",
    label: "recorded demo",
    wire: "chat",
    streamMaxRetries: 0,
    isLocal: false,
    defaultModel: "recording",
    secretVariables,
    endpoint: async () => ({
      baseUrl: "demo:",
      headers: {},
      query: {},
      quirks: {},
      idleTimeoutMs: 60_000,
      maxRetries: 0,
    }),
    stream: (request, signal) => playRecording(request, signal),
    model: (id) => ({ ...modelInfo(id, { isLocal: false }), label: "recording", images: false, known: true }),
  };
}
