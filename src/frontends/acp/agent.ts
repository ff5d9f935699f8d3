import { type AgentApp, agent, type InitializeRequest } from "@agentclientprotocol/sdk/unstable";
import { z } from "zod";
import type { LoadedConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import { NAME, VERSION } from "../../util/package.ts";
import { Client } from "./client.ts";
import { invalidParams, toRequestError } from "./errors.ts";
import { Sessions } from "./sessions.ts";

export type AgentHost = {
  env: Readonly<Record<string, string | undefined>>;
  /** Where the program was started. */
  cwd: string;
  settings(cwd: string, changes: readonly Override[]): Promise<LoadedConfig>;
  log(line: string): void;
  signal: AbortSignal;
};

export type Agent = AsyncDisposable & { app: AgentApp };

/** The methods that a client may call. One agent serves one client. */
export function createAgent(host: AgentHost): Agent {
  let sessions: Sessions | undefined;
  const app = agent({ name: NAME });
  const open = (): Sessions => {
    if (!sessions) throw invalidParams("initialize comes first");
    return sessions;
  };
  app.onRequest("initialize", ({ params, client }) => {
    const { env, settings, signal, log } = host;
    const facts = new Client(client, params.clientCapabilities, log);
    sessions ??= new Sessions({ client: facts, env, settings, signal });
    return initialized(params);
  });
  app.onRequest("authenticate", ({ params, signal }) =>
    guarded(async () => {
      if (params.methodId !== AUTH_METHOD.id) throw invalidParams(`unknown method ${params.methodId}`);
      const { checkAccess } = await import("../../core/choices/access.ts");
      await checkAccess(await host.settings(host.cwd, []), host.env, signal);
      return {};
    }),
  );
  app.onRequest("session/new", ({ params }) => guarded(() => open().create(params)));
  app.onRequest("session/load", ({ params }) =>
    guarded(() => open().restore(params.sessionId, params, true)),
  );
  app.onRequest("session/resume", ({ params }) =>
    guarded(() => open().restore(params.sessionId, params, false)),
  );
  app.onRequest("session/fork", ({ params }) => guarded(() => open().fork(params.sessionId, params)));
  app.onRequest("session/list", ({ params }) => guarded(() => open().list(params)));
  app.onRequest("session/close", ({ params }) => guarded(() => open().close(params.sessionId)));
  app.onRequest("session/prompt", ({ params, signal }) =>
    guarded(() => open().get(params.sessionId).prompt(params.prompt, signal)),
  );
  app.onNotification("session/cancel", ({ params }) => sessions?.cancel(params.sessionId));
  settingMethods(app, open);
  return {
    app,
    async [Symbol.asyncDispose]() {
      await sessions?.[Symbol.asyncDispose]();
    },
  };
}

/** Before there were options, clients chose the model with a method of its own, and some still do. */
const SetModel = z.looseObject({ sessionId: z.string(), modelId: z.string() });

function settingMethods(app: AgentApp, open: () => Sessions): void {
  app.onRequest("session/set_mode", ({ params }) =>
    guarded(async () => {
      await open().get(params.sessionId).setMode(params.modeId);
      return {};
    }),
  );
  app.onRequest("session/set_config_option", ({ params }) =>
    guarded(async () => ({
      configOptions: await open().get(params.sessionId).setOption(params.configId, params.value),
    })),
  );
  app.onRequest("session/set_model", SetModel, ({ params }) =>
    guarded(async () => {
      await open().get(params.sessionId).setOption("model", params.modelId);
      return {};
    }),
  );
  app.onRequest("session/set_title", ({ params }) =>
    guarded(async () => {
      await open().rename(params.sessionId, params.title);
      return { title: params.title };
    }),
  );
}

async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw toRequestError(cause);
  }
}

const AUTH_METHOD = {
  id: "configured-provider",
  name: "Use the configured provider",
  description:
    "Checks that config.toml and the environment name a model that can be used: a key of a provider, or a server on this machine.",
};

/** There is one version; a client that knows only others has to say so itself. */
function initialized(_: InitializeRequest) {
  return {
    protocolVersion: 1,
    agentInfo: { name: NAME, title: "Interpreter", version: VERSION },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: {
        list: {},
        resume: {},
        fork: {},
        close: {},
        title: {},
        additionalDirectories: {},
      },
    },
    authMethods: [AUTH_METHOD],
  };
}
