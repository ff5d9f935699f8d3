import { type AgentApp, agent, type InitializeRequest } from "@agentclientprotocol/sdk/unstable";
import { z } from "zod";
import type { LoadedConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import { NAME, VERSION } from "../../util/package.ts";
import { Client } from "./client.ts";
import { invalidParams, toRequestError } from "./errors.ts";
import type { Sessions, SessionsHost } from "./sessions.ts";

export type AgentHost = {
  env: Readonly<Record<string, string | undefined>>;
  /** Where the program was started. */
  cwd: string;
  settings(cwd: string, changes: readonly Override[]): Promise<LoadedConfig>;
  log(line: string): void;
  signal: AbortSignal;
};

export type Agent = AsyncDisposable & { app: AgentApp };

type OpenSessions = () => Promise<Sessions>;

/** The methods that a client may call. One agent serves one client. */
export function createAgent(host: AgentHost): Agent {
  const ended = new AbortController();
  const { env, settings, log } = host;
  const signal = AbortSignal.any([host.signal, ended.signal]);
  let client: Client | undefined;
  let sessions: Promise<Sessions> | undefined;
  const app = agent({ name: NAME });
  const open: OpenSessions = () => {
    if (!client) throw invalidParams("initialize comes first");
    sessions ??= loadSessions({ client, env, settings, signal });
    return sessions;
  };
  app.onRequest("initialize", ({ params, client: context }) => {
    client ??= new Client(context, params.clientCapabilities, log);
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
  app.onRequest("session/new", ({ params }) => guarded(async () => (await open()).create(params)));
  app.onRequest("session/load", ({ params }) =>
    guarded(async () => (await open()).restore(params.sessionId, params, true)),
  );
  app.onRequest("session/resume", ({ params }) =>
    guarded(async () => (await open()).restore(params.sessionId, params, false)),
  );
  app.onRequest("session/fork", ({ params }) =>
    guarded(async () => (await open()).fork(params.sessionId, params)),
  );
  app.onRequest("session/list", ({ params }) => guarded(async () => (await open()).list(params)));
  app.onRequest("session/close", ({ params }) => guarded(async () => (await open()).close(params.sessionId)));
  app.onRequest("session/delete", ({ params }) =>
    guarded(async () => {
      await (await open()).delete(params.sessionId);
      return {};
    }),
  );
  app.onRequest("session/prompt", ({ params, signal }) =>
    guarded(async () => (await open()).get(params.sessionId).prompt(params.prompt, signal)),
  );
  app.onNotification("session/cancel", async ({ params }) => (await sessions)?.cancel(params.sessionId));
  settingMethods(app, open);
  return {
    app,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await (await sessions)?.[Symbol.asyncDispose]();
    },
  };
}

/** What sessions are made of takes time to load, and a client first asks who we are. */
async function loadSessions(options: SessionsHost): Promise<Sessions> {
  const { Sessions } = await import("./sessions.ts");
  return new Sessions(options);
}

/** Before there were options, clients chose the model with a method of its own, and some still do. */
const SetModel = z.looseObject({ sessionId: z.string(), modelId: z.string() });

function settingMethods(app: AgentApp, open: OpenSessions): void {
  app.onRequest("session/set_mode", ({ params }) =>
    guarded(async () => {
      await (await open()).get(params.sessionId).setMode(params.modeId);
      return {};
    }),
  );
  app.onRequest("session/set_config_option", ({ params }) =>
    guarded(async () => ({
      configOptions: await (await open()).get(params.sessionId).setOption(params.configId, params.value),
    })),
  );
  app.onRequest("session/set_model", SetModel, ({ params }) =>
    guarded(async () => {
      await (await open()).get(params.sessionId).setOption("model", params.modelId);
      return {};
    }),
  );
  app.onRequest("session/set_title", ({ params }) =>
    guarded(async () => {
      await (await open()).rename(params.sessionId, params.title);
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
    "Checks that config.toml and the environment lead to a usable model: a provider with its key, or a server on this machine.",
};

/** There is one version; a client that knows only others has to say so itself. */
function initialized(_: InitializeRequest) {
  return {
    protocolVersion: 1,
    agentInfo: { name: NAME, title: "Interpreter", version: VERSION },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: {
        list: {},
        resume: {},
        fork: {},
        close: {},
        delete: {},
        title: {},
        additionalDirectories: {},
        systemPrompt: { mode: { override: {} } },
      },
    },
    authMethods: [AUTH_METHOD],
  };
}
