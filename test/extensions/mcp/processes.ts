import { readdirSync, readFileSync } from "node:fs";

type Process = { pid: number; parent: number; args: string[] };

/** Everything that runs now, without what has ended and was not collected yet. */
export function processes(): Process[] {
  return process.platform === "linux" ? linuxProcesses() : listedProcesses();
}

/** Bare systems have no `ps`. */
function linuxProcesses(): Process[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
        const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const args = readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0");
        return state === "Z" ? [] : [{ pid: Number(entry), parent: Number(parent), args }];
      } catch {
        return [];
      }
    });
}

function listedProcesses(): Process[] {
  const { stdout } = Bun.spawnSync(["ps", "-axo", "pid=,ppid=,stat=,args="]);
  return stdout
    .toString()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => state !== undefined && !state.startsWith("Z"))
    .map(([pid, parent, , ...args]) => ({ pid: Number(pid), parent: Number(parent), args }));
}
