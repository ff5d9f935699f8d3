/** Waits for `work`, but at most `ms`. False when it is not done by then. Rejects like `work`. */
export async function settles(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    // A timer left behind would keep the whole program alive.
    clearTimeout(timer);
  }
}

/** Resolves or rejects like `work`, or rejects as soon as the signal fires. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
