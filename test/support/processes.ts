import { readdirSync, readFileSync } from "node:fs";

/** The numbers of the processes whose command line holds this text. */
export function processesWith(text: string): number[] {
  return commandLines().flatMap(([pid, line]) => (line.includes(text) && pid !== process.pid ? [pid] : []));
}

function commandLines(): [pid: number, line: string][] {
  if (process.platform !== "linux") {
    const { stdout } = Bun.spawnSync(["ps", "-axo", "pid=,args="]);
    const lines = stdout.toString().split("\n");
    return lines.map((line) => [Number.parseInt(line, 10), line.trim().replace(/^\d+ /, "")]);
  }
  return readdirSync("/proc").flatMap((name): [number, string][] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [[Number(name), readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ")]];
    } catch {
      return [];
    }
  });
}
