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
