import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { NAME } from "../../util/package.ts";

/** Servers choose the words of their errors. Characters. */
const LONGEST_REASON = 10_000;

const NOBODY = ["ConnectionRefused", "ECONNREFUSED", "FailedToOpenSocket"];

/** The same failure in words that help whoever configured the server. `name` is the server's. */
export function readable(cause: unknown, name: string): Error {
  const login = `'${NAME} mcp login ${name}'`;
  if (cause instanceof InsufficientScopeError) {
    const { requiredScope } = cause;
    const wanted = requiredScope === undefined ? "" : ` (${requiredScope})`;
    return new Error(
      `it wants more rights than it was given${wanted}: the user can give them with ${login}`,
      {
        cause,
      },
    );
  }
  const status = cause instanceof UnauthorizedError ? 401 : cause instanceof SdkHttpError ? cause.status : 0;
  if (status === 401 || status === 403)
    return new Error(`it wants a valid sign-in (HTTP ${status}): use ${login}, or set bearer_token_env_var`, {
      cause,
    });
  if (cause instanceof SdkHttpError) return new Error(`it answered with HTTP ${cause.status}`, { cause });
  if (cause instanceof Error && "code" in cause && NOBODY.includes(String(cause.code)))
    return new Error("nothing answers at its address", { cause });
  if (cause instanceof SdkError && cause.code === SdkErrorCode.InvalidResult)
    return new Error("its answer is not one that the protocol knows", { cause });
  const words = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof Error && words.length <= LONGEST_REASON) return cause;
  return new Error(words.slice(0, LONGEST_REASON), { cause });
}
