import { progress } from "@clack/prompts";
import { type PullDisplay, PullTotals } from "../core/local/pull-progress.ts";
import { terminalSafe } from "../util/untrusted-text.ts";

const STEPS = 100;

/** A bar that moves, for a terminal. */
export function clackPullDisplay(name: string): PullDisplay {
  const totals = new PullTotals(() => performance.now());
  const title = terminalSafe(name);
  const bar = progress({ max: STEPS, size: 30, cancelMessage: "stopped; run it again to resume" });
  let shown = 0;
  // The library ends the process with 0 when the user stops it, which would look like success.
  const stopped = () => {
    process.exitCode = 130;
  };
  process.once("exit", stopped);
  bar.start(title);
  return {
    show(step) {
      totals.take(step);
      const now = totals.total === 0 ? 0 : Math.floor((STEPS * totals.completed) / totals.total);
      // A layer that becomes known later makes the whole larger; a bar does not go back.
      const text = totals.total === 0 ? terminalSafe(step.status) : totals.text();
      bar.advance(Math.max(0, now - shown), `${title}: ${text}`);
      shown = Math.max(shown, now);
    },
    finish(isDone) {
      process.removeListener("exit", stopped);
      if (isDone) bar.stop(`${title} is installed (${totals.text()})`);
      else bar.error(`${title} is not complete`);
    },
  };
}
