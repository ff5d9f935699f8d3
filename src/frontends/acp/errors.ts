import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { AppError, type ErrorCode, type ErrorInfo, toErrorInfo } from "../../util/errors.ts";

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

const CODES: { readonly [Code in ErrorCode]?: number } = {
  auth: AUTH_REQUIRED,
  usage: INVALID_PARAMS,
  "session.not_found": NOT_FOUND,
};

/** An error as a client shows it: many show the message alone, so it holds what to do as well. */
export function toRequestError(cause: unknown): RequestError {
  return cause instanceof RequestError ? cause : fromInfo(toErrorInfo(cause));
}

export function fromInfo({ code, message, hint, status }: ErrorInfo): RequestError {
  const text = hint === undefined ? message : `${message}\n${hint}`;
  const data = { code, ...(status === undefined ? {} : { status }) };
  return new RequestError(CODES[code] ?? INTERNAL, text, data);
}

export function invalidParams(message: string): RequestError {
  return new RequestError(INVALID_PARAMS, message);
}

export function unknownSession(id: string): RequestError {
  return new RequestError(NOT_FOUND, `there is no open session ${id}`, { sessionId: id });
}

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is to be done with a saved session. Records can be found by their names too, but a client means an id. */
export async function ofSaved<T>(id: string, work: () => Promise<T>): Promise<T> {
  const missing = () => new RequestError(NOT_FOUND, `there is no saved session ${id}`, { sessionId: id });
  if (!SESSION_ID.test(id)) throw missing();
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof AppError && cause.code === "session.not_found" ? missing() : cause;
  }
}
