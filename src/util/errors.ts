export type ErrorCode =
  | "usage"
  | "config"
  | "auth"
  | "model.rejected"
  | "model.context_window"
  | "model.incomplete"
  | "model.rate_limited"
  | "model.overloaded"
  | "model.stream_cut"
  | "model.empty"
  | "model.unreachable"
  | "model.loop"
  | "budget"
  | "tool.input"
  | "tool.failed"
  | "sandbox.unavailable"
  | "sandbox.denied"
  | "approval.denied"
  | "session.not_found"
  | "session.corrupt"
  | "session.locked"
  | "aborted"
  | "bug";

export type ErrorInfo = {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  /** HTTP status, when a server answered. */
  status?: number;
  hint?: string;
};

type Details = {
  retryable?: boolean;
  status?: number;
  hint?: string;
  retryAfterMs?: number;
  cause?: unknown;
};

/** The one error class. The message says what was wanted and what was found; the hint says what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  /** How long the server asked us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.status = details.status;
    this.hint = details.hint;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** What a machine refuses, in words, by the system's name for it. None of it is a fault of the program. */
const MACHINE_FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than it may be",
  EROFS: "the disk is read-only",
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EIO: "the disk can't be read or written",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** Why the machine refused something; undefined for any other failure. */
export function machineFault(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause ? MACHINE_FAULTS[String(cause.code)] : undefined;
}

/** Anything that was thrown as an AppError: "aborted" for an abort, "config" for what the machine refused, else "bug". */
export function toAppError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (cause instanceof Error && cause.name === "AbortError")
    return new AppError("aborted", "interrupted", { cause });
  const fault = machineFault(cause);
  if (fault !== undefined && cause instanceof Error)
    return new AppError("config", `${fault} (${cause.message})`, { cause });
  return new AppError("bug", cause instanceof Error ? cause.message : String(cause), { cause });
}

/** The same as plain data, for events and records. */
export function toErrorInfo(cause: unknown): ErrorInfo {
  const { code, message, retryable, status, hint } = toAppError(cause);
  return {
    code,
    message,
    retryable,
    ...(status === undefined ? {} : { status }),
    ...(hint === undefined ? {} : { hint }),
  };
}
