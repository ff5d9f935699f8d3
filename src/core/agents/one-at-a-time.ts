import type { ModelRequest } from "../../model/types.ts";
import type { Provider } from "../../providers/types.ts";
import { SharedLock } from "../../util/async.ts";
import { AppError } from "../../util/errors.ts";
import type { ModelLink } from "../turn/settings.ts";

/** A server on this machine has one model in memory and, unless told otherwise, room for one conversation. */
export function servesOneAtATime({ isLocal, baseUrl = "" }: Pick<Provider, "isLocal" | "baseUrl">): boolean {
  if (isLocal) return true;
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return /^(localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * The same model, asked by one conversation at a time: a second request waits here, where no time limit runs, and not in
 * the server, where it would count as a server that does not answer.
 */
export function oneAtATime(link: ModelLink, lock = new SharedLock(1)): ModelLink {
  async function* stream(request: ModelRequest, signal: AbortSignal) {
    const entered = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const onAbort = () => entered.reject(new AppError("aborted", "interrupted"));
    signal.addEventListener("abort", onAbort, { once: true });
    void lock.run(true, () => {
      entered.resolve();
      return done.promise;
    });
    try {
      signal.throwIfAborted();
      await entered.promise;
      yield* link.stream(request, signal);
    } finally {
      signal.removeEventListener("abort", onAbort);
      entered.promise.catch(() => {});
      done.resolve();
    }
  }
  return { ...link, stream };
}
