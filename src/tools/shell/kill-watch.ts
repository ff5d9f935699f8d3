/** Reads lines `+ PID` and `- PID`. At the end of its input it ends the process groups that are left. */
const SCRIPT = `left=" "
while read -r sign pid; do
  case $sign in
    +) left="$left$pid " ;;
    -) left="\${left%% $pid *} \${left#* $pid }" ;;
  esac
done
for pid in $left; do kill -KILL "-$pid"; done`;

type Watcher = Bun.Subprocess<"pipe", "ignore", "ignore">;

/**
 * Ends process groups when this program is killed (SIGKILL), and so can't end them itself: a shell waits for the end of a
 * pipe that the system closes then. It is started with the first group, in a session of its own, and costs half a
 * millisecond. What has left its group is not found. Best effort: no failure of it is anybody's concern.
 */
export class KillWatch {
  #watcher: Watcher | undefined;
  readonly #pids = new Set<number>();

  add(pid: number): void {
    if (process.platform === "win32" || this.#pids.has(pid)) return;
    this.#pids.add(pid);
    try {
      this.#watcher ??= startWatcher();
    } catch {
      return;
    }
    this.#tell(`+ ${pid}\n`);
  }

  /** To be called as soon as the group is empty: its number may be given to another one. */
  remove(pid: number): void {
    if (this.#pids.delete(pid)) this.#tell(`- ${pid}\n`);
  }

  /** Ends the groups that are left. */
  close(): void {
    this.#pids.clear();
    void attempt(async () => await this.#watcher?.stdin.end());
    this.#watcher = undefined;
  }

  #tell(line: string): void {
    void attempt(async () => {
      this.#watcher?.stdin.write(line);
      await this.#watcher?.stdin.flush();
    });
  }
}

function startWatcher(): Watcher {
  const watcher = Bun.spawn(["/bin/sh", "-c", SCRIPT], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.unref();
  return watcher;
}

/** Somebody may have ended the watcher: then nobody listens. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch {
    // There is nobody to tell, and nothing to be done.
  }
}
