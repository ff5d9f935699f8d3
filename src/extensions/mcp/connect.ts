import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import {
  Client,
  type Implementation,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import type { Asker } from "../../protocol/questions.ts";
import { codeOf } from "../../util/fs.ts";
import { NAME } from "../../util/package.ts";
import { elicit } from "./elicit.ts";
import { endOf, exchange, type Request, SessionLost } from "./exchange.ts";
import { readable } from "./problems.ts";
import { settles, unlessAborted } from "./settle.ts";
import { StdioTransport } from "./stdio.ts";
import { makeTransport, type TransportOptions } from "./transport.ts";
import { Visits } from "./visits.ts";

export type ConnectOptions = TransportOptions & {
  clientVersion: string;
  /** Beside `cwd`. */
  roots?: readonly string[] | undefined;
  /** Answers what the server wants to know of a person; without one, it is not told that it may ask. */
  asker?: Asker | undefined;
  onChanged: (list: ChangedList) => void;
};

/** Which of its lists a server says has changed. */
export type ChangedList = "tools" | "prompts";

/** One living connection. Requests reject with the reason in words; after `closed` has resolved none can be made. */
export type Connection = {
  readonly hasTools: boolean;
  readonly hasPrompts: boolean;
  readonly hasResources: boolean;
  /** Lines of a program's output that were not messages. */
  strayLines(): number;
  /** Resolves with how it ended, also after `close`. */
  readonly closed: Promise<string>;
  request<T>(call: Request<T>, signal: AbortSignal): Promise<T>;
  /** Did this failure of `request` only mean that the server forgot us, e.g. because it was started anew? */
  hasLostSession(cause: unknown): boolean;
  close(): Promise<void>;
};
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
    if (signal.aborted || transport === "sse") throw readable(cause, options.name);
    const old =
      transport === undefined && isOldServer(cause)
        ? await shake({ mode: "legacy", isOld: true }).catch(() => undefined)
        : undefined;
    if (old !== undefined) return old;
    if (!speaksAnotherRevision(cause) || signal.aborted) throw readable(cause, options.name);
  }
  try {
    return await shake({ mode: "auto", isOld: false });
  } catch (cause) {
    throw readable(cause, options.name);
  }
}

/** Questions that a server may have open at a time. A person who has to say no to a thousand has no other way out. */
const MOST_QUESTIONS = 4;

type Way = { mode: "legacy" | "auto"; isOld: boolean };

/** Servers from before 2025 answer only to a GET where ours is a POST. */
function isOldServer(cause: unknown): boolean {
  return cause instanceof SdkHttpError && [400, 404, 405].includes(cause.status ?? 0);
}

/** What a server answers that knows the question, and has failed by itself. */
const OWN_FAILURES = [-32_603, -32_000];

/** The revision of 2026-07-28 has no `initialize`; a server that speaks only it refuses ours with an error. */
function speaksAnotherRevision(cause: unknown): boolean {
  const isRefusal = cause instanceof ProtocolError && !OWN_FAILURES.includes(cause.code);
  return isRefusal || (cause instanceof SdkHttpError && cause.status === 400);
}

async function shakeHands(
  options: ConnectOptions,
  { mode, isOld }: Way,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Connection> {
  const transport = await makeTransport(options, { isOld });
  const visits = new Visits(options.name, options.asker);
  const client = makeClient(options, mode, visits);
  const line = { name: options.name, client, transport, visits };
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
    hasPrompts: capabilities?.prompts !== undefined,
    hasResources: capabilities?.resources !== undefined,
    strayLines: () => (transport instanceof StdioTransport ? transport.strayLines : 0),
    closed: ended.then(() => endOf(transport)),
    request: (call, requestSignal) => exchange(line, call, requestSignal),
    hasLostSession: (cause) => cause instanceof SessionLost,
    close: () => end(client, transport),
  };
}

/** What the server is told about us, and what it may ask. */
function makeClient(
  { name, clientVersion, cwd, roots = [], asker, onChanged }: ConnectOptions,
  mode: Way["mode"],
  visits: Visits,
): Client {
  const info: Implementation = { name: NAME, version: clientVersion };
  const capabilities = { roots: {}, ...(asker === undefined ? {} : { elicitation: { form: {}, url: {} } }) };
  // The packages' usual validator makes code of a schema and runs it; this one reads it.
  const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();
  const client = new Client(info, { capabilities, jsonSchemaValidator, versionNegotiation: { mode } });
  client.setNotificationHandler("notifications/tools/list_changed", () => onChanged("tools"));
  client.setNotificationHandler("notifications/prompts/list_changed", () => onChanged("prompts"));
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
    visits.done(params.elicitationId),
  );
  client.setRequestHandler("roots/list", () => ({
    roots: [cwd, ...roots].map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })),
  }));
  if (asker !== undefined) {
    let open = 0;
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      if (open >= MOST_QUESTIONS) return { action: "decline" as const };
      open += 1;
      try {
        return await elicit(name, params, asker, mcpReq.signal);
      } finally {
        open -= 1;
      }
    });
  }
  return client;
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
