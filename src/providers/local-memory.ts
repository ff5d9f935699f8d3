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
  const child = Bun.spawn([tool, "--query-gpu=memory.free", "--format=csv,noheader,nounits"], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    env: { PATH: process.env["PATH"] ?? "" },
    timeout: PROBE_MS,
  });
  const text = await child.stdout.text();
  return (await child.exited) === 0 ? graphicsMemoryIn(text) : undefined;
}

/** The sum over all cards, one number of MiB on each line. */
export function graphicsMemoryIn(text: string): number | undefined {
  const sizes = text
    .split("\n")
    .map((line) => Number(line.trim() || Number.NaN))
    .filter((size) => size > 0);
  return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0) * 2 ** 20;
}

/** What Linux could give to a program without swapping; other systems only tell what nobody uses. */
async function freeMainMemory(): Promise<number> {
  const text = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kib = Number(/^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN);
  return Number.isFinite(kib) ? kib * 1024 : freemem();
}
