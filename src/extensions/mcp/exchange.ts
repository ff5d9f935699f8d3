import {
  type Client,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { isDeeperThan, MOST_NESTING } from "./nesting.ts";
import { readable } from "./problems.ts";
import { StdioTransport } from "./stdio.ts";
import type { Visits } from "./visits.ts";

export type Request<T> = {
  method: string;
  params: Record<string, unknown>;
  schema: z.ZodType<T>;
  timeoutMs: number;
  /** How far the server says it is, in words. */
  onProgress?: ((text: string) => void) | undefined;
};

/** A server that reports progress for ever must not hold us for ever: it gets this many times its time-out. */
const MOST_EXTENSIONS = 12;

/** Characters. */
const LONGEST_PROGRESS = 500;

const LOST = [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected];

/** The server does not know our session any more; the request was not carried out. */
export class SessionLost extends Error {}

export type Line = { name: string; client: Client; transport: Transport; visits: Visits };

/** Sends one request and reads its answer. Rejects with the reason in words. */
export async function exchange<T>(line: Line, call: Request<T>, signal: AbortSignal): Promise<T> {
  try {
    return await answerTo(line, call, signal);
  } catch (cause) {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(call.timeoutMs)]);
    if (!(await line.visits.makeFor(cause, deadline))) throw inWords(cause, line, call, signal);
  }
  try {
    return await answerTo(line, call, signal);
  } catch (cause) {
    throw inWords(cause, line, call, signal);
  }
}

async function answerTo<T>(line: Line, call: Request<T>, signal: AbortSignal): Promise<T> {
  const answer = await send(line, call, signal);
  if (isDeeperThan(answer, MOST_NESTING))
    throw new Error(`the server's answer can't be read: it is nested deeper than ${MOST_NESTING} levels`);
  const { data, error } = call.schema.safeParse(answer);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const where = issue?.path.join(".");
  throw new Error(`the server's answer can't be read: ${where ? `${where}: ` : ""}${issue?.message}`);
}

function send<T>({ client }: Line, call: Request<T>, signal: AbortSignal): Promise<unknown> {
  const { method, params, timeoutMs, onProgress } = call;
  return client.request({ method, params }, z.unknown(), {
    signal,
    timeout: timeoutMs,
    maxTotalTimeout: timeoutMs * MOST_EXTENSIONS,
    // A server that reports progress is alive: the time-out starts anew.
    onprogress: ({ progress, total, message }) => onProgress?.(progressText({ progress, total, message })),
    resetTimeoutOnProgress: true,
  });
}

function inWords<T>(cause: unknown, line: Line, { timeoutMs }: Request<T>, signal: AbortSignal): Error {
  const { name, transport } = line;
  if (cause instanceof SdkHttpError && cause.status === 404 && transport.sessionId !== undefined)
    return new SessionLost("the server has ended the session", { cause });
  if (cause instanceof SdkError && LOST.some((code) => code === cause.code))
    return new Error(`the connection was closed: the server ${endOf(transport)}`, { cause });
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout && !signal.aborted)
    return new Error(`timed out: no answer within ${waitedMs(cause, timeoutMs) / 1000} s`, { cause });
  return readable(cause, name);
}

function waitedMs({ data }: SdkError, timeoutMs: number): number {
  const isTotal = typeof data === "object" && data !== null && "maxTotalTimeout" in data;
  return isTotal ? timeoutMs * MOST_EXTENSIONS : timeoutMs;
}

type Progress = { progress: number; total?: number | undefined; message?: string | undefined };

function progressText({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? count : `${count}: ${message.slice(0, LONGEST_PROGRESS)}`;
}

/** How a connection ended. */
export function endOf(transport: Transport): string {
  return transport instanceof StdioTransport ? transport.exitReason() : "closed the connection";
}
