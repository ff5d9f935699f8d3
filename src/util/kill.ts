import { readdirSync, readFileSync } from "node:fs";

/** What a process gets to put its affairs in order (git removes its lock files) before it is ended by force. */
const GRACE_MS = 50;

/**
 * Ends a process that leads its own group, its group and its descendants, also those that left the group: asks, and
 * ends by force whatever is left 50 ms later. Resolves when the last signal was sent.
 */
export async function endTree(pid: number): Promise<void> {
  if (process.platform === "win32") return endWindowsTree(pid);
  await endMembers(pid, descendants([pid]));
}

/** The same for a process that somebody else started: it may be a member of a group that is not its own. */
export async function endBranch(pid: number): Promise<void> {
  if (process.platform === "win32") return endWindowsTree(pid);
  // First itself: a shell whose command has ended would go on with the next one.
  await endMembers(pid, new Set([pid, ...descendants([pid])]));
}

async function endMembers(pid: number, members: ReadonlySet<number>): Promise<void> {
  if (isNobody(pid)) return;
  signalGroup(pid, "SIGTERM");
  for (const member of members) signal(member, "SIGTERM");
  await Bun.sleep(GRACE_MS);
  forceEnd(pid, members);
}

/** The same at once and by force, for moments when nothing can be awaited any more. */
export function endTreeNow(pid: number): void {
  if (process.platform === "win32") endWindowsTree(pid);
  else forceEnd(pid, descendants([pid]));
}

/** False when no process of the group is left. */
export function signalGroup(pid: number, name: NodeJS.Signals): boolean {
  return signal(process.platform === "win32" ? pid : -pid, name);
}

/** Is any process of the group left? */
export function isGroupAlive(pid: number): boolean {
  return signal(process.platform === "win32" ? pid : -pid, 0);
}

/**
 * Process trees that must not outlive this program, whatever way it ends short of SIGKILL: while the list is not
 * empty it holds one `exit` hook.
 */
export class LastResort {
  readonly #pids = new Set<number>();
  readonly #onExit = () => {
    for (const pid of this.#pids) endTreeNow(pid);
  };

  add(pid: number): void {
    if (this.#pids.size === 0) process.on("exit", this.#onExit);
    this.#pids.add(pid);
  }

  remove(pid: number): void {
    if (this.#pids.delete(pid) && this.#pids.size === 0) process.off("exit", this.#onExit);
  }
}

function forceEnd(pid: number, known: ReadonlySet<number>): void {
  if (isNobody(pid)) return;
  // Members that fork while we look would escape: what is found is stopped, until a look finds nothing new.
  const members = new Set(known);
  signalGroup(pid, "SIGSTOP");
  for (;;) {
    const fresh = [...descendants([pid, ...members])].filter((one) => !members.has(one));
    if (fresh.length === 0) break;
    for (const one of fresh) {
      members.add(one);
      signal(one, "SIGSTOP");
    }
  }
  signalGroup(pid, "SIGKILL");
  for (const member of members) signal(member, "SIGKILL");
}

function descendants(roots: readonly number[]): Set<number> {
  const children = childrenByParent();
  const found = new Set<number>();
  const open = [...roots];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const child of children.get(parent) ?? []) {
      if (found.has(child)) continue;
      found.add(child);
      open.push(child);
    }
  }
  return found;
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of process.platform === "linux" ? linuxProcesses() : listedProcesses()) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid);
    else children.set(parent, [pid]);
  }
  return children;
}

function* linuxProcesses(): Generator<[pid: number, parent: number]> {
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      // The name, in parentheses, may itself hold spaces and parentheses; "state parent" follow its last one.
      const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
      yield [Number(entry), Number(parent)];
    } catch {
      // It ended while we looked.
    }
  }
}

function* listedProcesses(): Generator<[pid: number, parent: number]> {
  const { stdout } = Bun.spawnSync(["ps", "-axo", "pid=,ppid="], { stdin: "ignore", stderr: "ignore" });
  for (const line of stdout.toString().split("\n")) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    if (pid && parent !== undefined) yield [pid, parent];
  }
}

function endWindowsTree(pid: number): void {
  Bun.spawnSync(["taskkill", "/PID", String(pid), "/T", "/F"], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

/** The system reads 0 as our own group, and -1 as everybody. Where a process is not known, 0 stands for it. */
function isNobody(pid: number): boolean {
  return Math.abs(pid) <= 1;
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  if (isNobody(pid)) return false;
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
