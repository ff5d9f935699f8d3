import { readFile } from "node:fs/promises";
import { freemem } from "node:os";

/** Bytes that a model could use: of the graphics cards when their tool is there, else of main memory. */
export async function freeModelMemory(): Promise<number> {
  return (await freeGraphicsMemory()) ?? (await freeMainMemory());
}

const PROBE_MS = 2_000;

async function freeGraphicsMemory(): Promise<number | undefined> {
  const tool = Bun.which("nvidia-smi");
  if (!tool) return undefined;
  return graphicsMemoryIn(await outputOf(tool, ["--query-gpu=memory.free", "--format=csv,noheader,nounits"]));
}

/** The sum over all cards, one number of MiB on each line. */
export function graphicsMemoryIn(text: string): number | undefined {
  const sizes = text
    .split("\n")
    .map((line) => Number(line.trim() || Number.NaN))
    .filter((size) => size > 0);
  return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0) * 2 ** 20;
}

/** What the system could give to a program without swapping. Windows tells just that as its free memory. */
async function freeMainMemory(): Promise<number> {
  if (process.platform === "darwin") return (await freeMacMemory()) ?? freemem();
  const text = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kib = Number(/^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN);
  return Number.isFinite(kib) ? kib * 1024 : freemem();
}

/** What macOS calls free is only what nobody has ever used: files that were read fill the rest, and go when asked. */
async function freeMacMemory(): Promise<number | undefined> {
  return macMemoryIn(await outputOf("/usr/bin/vm_stat", []));
}

/** The pages of `vm_stat` that are free or given back on demand, in bytes. */
export function macMemoryIn(text: string): number | undefined {
  const pageBytes = Number(/page size of (\d+) bytes/.exec(text)?.[1] ?? Number.NaN);
  const pages = ["free", "inactive", "speculative", "purgeable"].map((kind) =>
    Number(new RegExp(`^Pages ${kind}:\\s+(\\d+)\\.`, "m").exec(text)?.[1] ?? 0),
  );
  const bytes = pages.reduce((sum, count) => sum + count, 0) * pageBytes;
  return bytes > 0 ? bytes : undefined;
}

/** Standard output; empty when the program is not there or fails. */
async function outputOf(tool: string, args: readonly string[]): Promise<string> {
  try {
    const child = Bun.spawn([tool, ...args], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      env: { PATH: process.env["PATH"] ?? "" },
      timeout: PROBE_MS,
    });
    const text = await child.stdout.text();
    return (await child.exited) === 0 ? text : "";
  } catch {
    return "";
  }
}
