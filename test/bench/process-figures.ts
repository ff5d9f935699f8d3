import { readdirSync, readFileSync } from "node:fs";

/** CPU time of a process and its descendants that still run, in ms, from the scheduler's nanoseconds of each thread. */
export function cpuMsOf(pid: number): number {
  const threads = treeOf(pid).flatMap((one) =>
    entries(`/proc/${one}/task`).map((task) => `/proc/${one}/task/${task}/schedstat`),
  );
  const nanoseconds = threads.map((file) => Number(text(file).split(" ")[0] || "0"));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** The same of the thread that a program started with. */
export function mainThreadMsOf(pid: number): number {
  return Number(text(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[0] || "0") / 1e6;
}

/** Memory that they hold now, in MB of 2^20 bytes; pages that several share count for each. */
export function rssMbOf(pid: number): number {
  const sizes = treeOf(pid).map((one) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(text(`/proc/${one}/status`))?.[1] ?? "0"),
  );
  return sizes.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024;
}

function treeOf(pid: number): number[] {
  const children = entries(`/proc/${pid}/task`).flatMap((task) =>
    text(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it has ended meanwhile
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
