import { isGroupAlive, LastResort } from "../../util/kill.ts";
import type { MemoryKey } from "../types.ts";
import { KillWatch } from "./kill-watch.ts";
import type { LiveCommand } from "./live-command.ts";

/** The commands of one session. Its disposal ends them all, with whatever they left in the background. */
export const processes: MemoryKey<ProcessTable> = {
  name: "processes",
  init: () => new ProcessTable(),
  dispose: (table) => table.dispose(),
};

export class ProcessTable {
  readonly #started = new Set<LiveCommand>();
  /** Commands that outlived their call; the one used last comes last. */
  readonly #byId = new Map<number, LiveCommand>();
  readonly #lastResort = new LastResort();
  /** Of the commands without a sandbox: one with a sandbox ends with us, whatever ends us. */
  readonly #killWatch = new KillWatch();
  #isDisposed = false;

  /** To be called for every command: from now on it does not outlive the session. */
  track(command: LiveCommand): void {
    this.#forgetFinished();
    this.#started.add(command);
    this.#lastResort.add(command.pid);
    const { policy, isHosted } = command.facts;
    if (policy.mode === "off" && !isHosted) this.#killWatch.add(command.pid);
    void command.ended.then(() => this.#forgetFinished());
  }

  /** Gives a running command an id. `onEnd` is called when it ends by itself, not when the session ends it. */
  adopt(command: LiveCommand, onEnd: () => void): number {
    this.#makeRoom();
    const id = this.#freeId();
    command.processId = id;
    this.#byId.set(id, command);
    void command.ended.then(() => {
      if (!this.#isDisposed) onEnd();
    });
    return id;
  }

  /** Counts as a use: commands that were not used for long are the first to go. */
  find(id: number): LiveCommand | undefined {
    const command = this.#byId.get(id);
    if (command) {
      this.#byId.delete(id);
      this.#byId.set(id, command);
    }
    return command;
  }

  /** The id is free again; the command itself is not touched. */
  forget(id: number): void {
    this.#byId.delete(id);
  }

  /** Commands that still run although their call has returned, for lists that people see. */
  running(): { id: number; command: string; cwd: string; startedAt: number }[] {
    return [...this.#byId]
      .filter(([, { exitCode }]) => exitCode === undefined)
      .map(([id, { facts, startedAt }]) => ({ id, command: facts.command, cwd: facts.cwd, startedAt }));
  }

  /** Commands that outlived their call, ended ones included; the one used last comes last. */
  all(): { id: number; command: LiveCommand }[] {
    return [...this.#byId].map(([id, command]) => ({ id, command }));
  }

  /** Ends one of `running`; false when there is none of this id. */
  async stop(id: number): Promise<boolean> {
    const command = this.#byId.get(id);
    if (!command || command.exitCode !== undefined) return false;
    await command.kill();
    return true;
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await Promise.all(
      [...this.#started].map(async (command) => {
        await command.kill();
        command.release();
        this.#lastResort.remove(command.pid);
      }),
    );
    this.#killWatch.close();
    this.#started.clear();
    this.#byId.clear();
  }

  /**
   * A command that has ended stays on the list while its group has members in the background. A group id can be given
   * anew once the group is empty, so the empty ones are dropped at every occasion.
   */
  #forgetFinished(): void {
    for (const command of this.#started) {
      if (command.exitCode === undefined || isGroupAlive(command.pid)) continue;
      this.#started.delete(command);
      this.#lastResort.remove(command.pid);
      this.#killWatch.remove(command.pid);
    }
  }

  #makeRoom(): void {
    if (this.#byId.size < MAX_PROCESSES) return;
    const candidates = [...this.#byId].slice(0, MAX_PROCESSES - PROTECTED);
    const [id, command] =
      candidates.find(([, { exitCode }]) => exitCode !== undefined) ?? candidates[0] ?? [];
    if (id === undefined || !command) return;
    this.#byId.delete(id);
    if (command.exitCode === undefined) void command.kill();
  }

  #freeId(): number {
    for (;;) {
      const id = 1000 + Math.floor(Math.random() * 99_000);
      if (!this.#byId.has(id)) return id;
    }
  }
}

const MAX_PROCESSES = 64;
/** The ones used last are never ended to make room. */
const PROTECTED = 8;
