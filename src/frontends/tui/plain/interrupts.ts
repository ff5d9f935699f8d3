/**
 * Takes Ctrl+C for itself: where lines are read, the terminal turns it into a signal. Whoever listened before gets it back
 * at the end.
 */
export function takeInterrupts(onInterrupt: () => void): Disposable {
  const others = process.listeners("SIGINT");
  for (const other of others) process.off("SIGINT", other);
  process.on("SIGINT", onInterrupt);
  return {
    [Symbol.dispose]() {
      process.off("SIGINT", onInterrupt);
      for (const other of others) process.on("SIGINT", other);
    },
  };
}
