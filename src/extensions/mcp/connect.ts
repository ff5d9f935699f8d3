import { resolve } from "node:path";
import {
  Client,
  type Implementation,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { codeOf } from "../../util/fs.ts";
import type { LastResort } from "../../util/kill.ts";
import { fetchFromSameServer } from "../../util/same-server.ts";
import { childEnv } from "./child-env.ts";
import type { AddressReach, McpServerConfig } from "./config.ts";
import { settles } from "./settle.ts";
import { StdioTransport } from "./stdio.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type ConnectOptions = {
  config: McpServerConfig;
  env: Environment;
  cwd: string;
  clientVersion: string;
  lastResort: LastResort;
  onToolsChanged: () => void;
};

/** One living connection. Requests reject with the reason in words; after `closed` has resolved none can be made. */
export type Connection = {
  readonly hasTools: boolean;
  readonly hasResources: boolean;
  /** Resolves with how it ended, also after `close`. */
  readonly closed: Promise<string>;
  request<T>(call: Request<T>, signal: AbortSignal): Promise<T>;
  /** Did this failure of `request` only mean that the server forgot us, e.g. because it was started anew? */
  hasLostSession(cause: unknown): boolean;
  close(): Promise<void>;
};
export type Request<T> = {
  method: string;
  params: Record<string, unknown>;
  schema: z.ZodType<T>;
  timeoutMs: number;
};

const NOBODY = ["ConnectionRefused", "ECONNREFUSED", "FailedToOpenSocket"];
const LOST = [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected];

/** The server does not know our session any more; the request was not carried out. */
class SessionLost extends Error {}

/** Starts or reaches a server and shakes hands. Leaves nothing behind when that fails. */
export async function connect(
  options: ConnectOptions,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Connection> {
  try {
    return await shakeHands(options, "legacy", timeoutMs, signal);
  } catch (cause) {
    if (!speaksAnotherRevision(cause) || signal.aborted) throw readable(cause);
  }
  try {
    return await shakeHands(options, "auto", timeoutMs, signal);
  } catch (cause) {
    throw readable(cause);
  }
}

/** The revision of 2026-07-28 has no `initialize`; a server that speaks only it refuses ours with an error. */
function speaksAnotherRevision(cause: unknown): boolean {
  return cause instanceof ProtocolError || (cause instanceof SdkHttpError && cause.status === 400);
}

async function shakeHands(
  options: ConnectOptions,
  mode: "legacy" | "auto",
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Connection> {
  const transport = makeTransport(options);
  const clientInfo: Implementation = { name: "interpreter", version: options.clientVersion };
  const client = new Client(clientInfo, { capabilities: {}, versionNegotiation: { mode } });
  const ended = new Promise<void>((onEnd) => {
    client.onclose = onEnd;
  });
  client.setNotificationHandler("notifications/tools/list_changed", options.onToolsChanged);
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
  } catch (cause) {
    // A program that ends at once may be noticed first by its closed input.
    const hasExited = transport instanceof StdioTransport && (transport.isOver || codeOf(cause) === "EPIPE");
    await transport.close();
    if (hasExited) throw new Error(`it ${endOf(transport)}`, { cause });
    throw cause;
  }
  const capabilities = client.getServerCapabilities();
  return {
    hasTools: capabilities?.tools !== undefined,
    hasResources: capabilities?.resources !== undefined,
    closed: ended.then(() => endOf(transport)),
    request: (call, requestSignal) => request(client, transport, call, requestSignal),
    hasLostSession: (cause) => cause instanceof SessionLost,
    close: () => end(client, transport),
  };
}

function makeTransport({ config: { reach }, env, cwd, lastResort }: ConnectOptions): Transport {
  if (reach.kind === "address")
    return new StreamableHTTPClientTransport(new URL(reach.url), {
      requestInit: { headers: httpHeaders(reach, env) },
      fetch: ask,
    });
  return new StdioTransport({
    argv: reach.argv,
    cwd: resolve(cwd, reach.cwd ?? "."),
    env: childEnv(env, reach),
    lastResort,
  });
}

async function ask(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { response, elsewhere } = await fetchFromSameServer(String(url), init);
  if (elsewhere === undefined) return response;
  throw new Error(`it sends us to ${elsewhere}; if that address is right, set url to it`);
}

function httpHeaders(reach: AddressReach, env: Environment): Record<string, string> {
  const headers: Record<string, string> = { ...reach.headers };
  for (const [header, variable] of Object.entries(reach.headerVariables)) {
    const value = env[variable];
    if (value !== undefined) headers[header] = value;
  }
  const { tokenVariable: variable } = reach;
  if (variable === undefined) return headers;
  const token = env[variable];
  if (!token) throw new Error(`the variable ${variable} (bearer_token_env_var) is not set`);
  return { ...headers, Authorization: `Bearer ${token}` };
}

async function request<T>(
  client: Client,
  transport: Transport,
  { method, params, schema, timeoutMs }: Request<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    const answer: unknown = await client.request({ method, params }, z.unknown(), {
      signal,
      timeout: timeoutMs,
      // A server that reports progress is alive: the time-out starts anew.
      onprogress: () => undefined,
      resetTimeoutOnProgress: true,
    });
    return schema.parse(answer);
  } catch (cause) {
    if (cause instanceof SdkHttpError && cause.status === 404 && transport.sessionId !== undefined)
      throw new SessionLost("the server has ended the session", { cause });
    if (cause instanceof SdkError && LOST.some((code) => code === cause.code))
      throw new Error(`the connection was closed: the server ${endOf(transport)}`, { cause });
    if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout && !signal.aborted)
      throw new Error(`timed out: no answer within ${timeoutMs / 1000} s`, { cause });
    throw readable(cause);
  }
}

/** The same failure in words that help who configured the server. */
function readable(cause: unknown): Error {
  if (cause instanceof SdkHttpError && (cause.status === 401 || cause.status === 403))
    return new Error(`it wants a valid sign-in (HTTP ${cause.status}): set bearer_token_env_var`, { cause });
  if (cause instanceof SdkHttpError) return new Error(`it answered with HTTP ${cause.status}`, { cause });
  if (cause instanceof Error && "code" in cause && NOBODY.includes(String(cause.code)))
    return new Error("nothing answers at its address", { cause });
  return cause instanceof Error ? cause : new Error(String(cause));
}

function endOf(transport: Transport): string {
  return transport instanceof StdioTransport ? transport.exitReason() : "closed the connection";
}

async function end(client: Client, transport: Transport): Promise<void> {
  if (transport instanceof StreamableHTTPClientTransport) await leaveSession(transport);
  await client.close();
}

async function leaveSession(transport: StreamableHTTPClientTransport): Promise<void> {
  try {
    await settles(transport.terminateSession(), 1_000);
  } catch {
    // Servers may refuse to end sessions.
  }
}
