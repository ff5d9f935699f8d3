// CPU time of the executable's start for a few commands: `bun test/bench/startup.ts [runs]`. Builds nothing.
import { tmpdir } from "node:os";
import { EXECUTABLE } from "../support/run.ts";

const COMMANDS = [["--version"], ["--help"], ["exec", "--help"], ["mcp", "list"], ["features", "list"]];

const runs = Number(process.argv[2] ?? 9);
for (const args of COMMANDS) {
  const samples = Array.from({ length: runs }, () => measure(args));
  const cpu = samples.map(({ cpuMs }) => cpuMs).toSorted((a, b) => a - b);
  const memory = Math.max(...samples.map(({ maxRssMb }) => maxRssMb));
  const median = cpu[Math.floor(runs / 2)] ?? Number.NaN;
  console.log(
    `${args.join(" ").padEnd(16)} best ${cpu[0]?.toFixed(0)} ms, median ${median.toFixed(0)} ms CPU, ${memory.toFixed(0)} MB`,
  );
}

function measure(args: readonly string[]): { cpuMs: number; maxRssMb: number } {
  const done = Bun.spawnSync([EXECUTABLE, ...args], { cwd: tmpdir(), stdin: "ignore", env: benchEnv() });
  return {
    cpuMs: Number(done.resourceUsage.cpuTime.total) / 1000,
    maxRssMb: done.resourceUsage.maxRSS / 1024 / 1024,
  };
}

function benchEnv(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), LANG: "C.UTF-8", TERM: "dumb" };
}
