import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import {
  Client,
  type Implementation,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Asker } from "../../protocol/questions.ts";
import { codeOf } from "../../util/fs.ts";
import { NAME } from "../../util/package.ts";
import { elicit } from "./elicit.ts";
import { settles, unlessAborted } from "./settle.ts";
import { StdioTransport } from "./stdio.ts";
import { makeTransport, type TransportOptions } from "./transport.ts";

export type ConnectOptions = TransportOptions & {
  /** The server's name in the configuration. */
  name: string;
  clientVersion: string;
  /** Answers what the server wants to know of a person; without one, it is not told that it may ask. */
  asker?: Asker | undefined;
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
  const shake = (way: Way) => shakeHands(options, way, timeoutMs, signal);
  const { reach } = options.config;
  const transport = reach.kind === "address" ? reach.transport : undefined;
  try {
    return await shake({ mode: "legacy", isOld: transport === "sse" });
  } catch (cause) {
    if (signal.aborted || transport === "sse") throw readable(cause);
    const old =
      transport === undefined && isOldServer(cause)
        ? await shake({ mode: "legacy", isOld: true }).catch(() => undefined)
        : undefined;
    if (old !== undefined) return old;
    if (!speaksAnotherRevision(cause) || signal.aborted) throw readable(cause);
  }
  try {
    return await shake({ mode: "auto", isOld: false });
  } catch (cause) {
    throw readable(cause);
  }
}

type Way = { mode: "legacy" | "auto"; isOld: boolean };

/** Servers from before 2025 answer only to a GET where ours is a POST. */
function isOldServer(cause: unknown): boolean {
  return cause instanceof SdkHttpError && [400, 404, 405].includes(cause.status ?? 0);
}

/** The revision of 2026-07-28 has no `initialize`; a server that speaks only it refuses ours with an error. */
function speaksAnotherRevision(cause: unknown): boolean {
  return cause instanceof ProtocolError || (cause instanceof SdkHttpError && cause.status === 400);
}

async function shakeHands(
  options: ConnectOptions,
  { mode, isOld }: Way,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Connection> {
  const transport = await makeTransport(options, { isOld });
  const client = makeClient(options, mode);
  const ended = new Promise<void>((onEnd) => {
    client.onclose = onEnd;
  });
  try {
    // The old way waits for the stream before there is a request that could be aborted.
    await unlessAborted(client.connect(transport, { signal, timeout: timeoutMs }), signal);
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

/** What the server is told about us, and what it may ask. */
function makeClient(
  { name, clientVersion, cwd, asker, onToolsChanged }: ConnectOptions,
  mode: Way["mode"],
): Client {
  const info: Implementation = { name: NAME, version: clientVersion };
  const capabilities = { roots: {}, ...(asker === undefined ? {} : { elicitation: { form: {}, url: {} } }) };
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  client.setNotificationHandler("notifications/tools/list_changed", onToolsChanged);
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
    asker?.visited?.(params.elicitationId),
  );
  client.setRequestHandler("roots/list", () => ({
    roots: [{ uri: pathToFileURL(cwd).href, name: basename(cwd) }],
  }));
  if (asker !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      elicit(name, params, asker, mcpReq.signal),
    );
  return client;
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
  const status = cause instanceof UnauthorizedError ? 401 : cause instanceof SdkHttpError ? cause.status : 0;
  if (status === 401 || status === 403)
    return new Error(
      `it wants a valid sign-in (HTTP ${status}): use '${NAME} mcp login', or set bearer_token_env_var`,
      { cause },
    );
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
