import { constants } from "node:os";
import type { TerminalExitStatus } from "@agentclientprotocol/sdk/unstable";
import type { HostedCommand } from "../../protocol/command-host.ts";
import { sleep } from "../../util/async.ts";
import { endBranch, endTree } from "../../util/kill.ts";
import type { Client, TerminalPlace } from "./client.ts";
import { type Begun, type CommandScript, isAlive } from "./command-script.ts";
import { GrowingText } from "./growing-text.ts";

export type TerminalClient = Pick<
  Client,
  "terminalOutput" | "terminalExit" | "killTerminal" | "releaseTerminal"
>;

/** Milliseconds: between two looks at the output, for one answer about it, and for the rest of it after the end. */
const LOOK = { everyMs: 1000, patienceMs: 1000, quietMs: 50, mostRestMs: 1000 };
/** Milliseconds: for the client to end a command, and then to say that it has ended. */
const KILL = { askedMs: 450, toldMs: 400 };
const MOST_FAILURES = 3;

/** A command of ours in a terminal of the client. It is over when the client says so, or when nobody can say it any more. */
export class ClientTerminal implements HostedCommand {
  readonly ended: Promise<number>;
  readonly #client: TerminalClient;
  readonly #place: TerminalPlace;
  readonly #script: CommandScript;
  readonly #over = new AbortController();
  /** What ends it when the client does not. */
  readonly #lost = Promise.withResolvers<TerminalExitStatus>();
  readonly #exit: Promise<TerminalExitStatus>;
  readonly #text = new GrowingText();
  #unheard = "";
  #onText: ((text: string) => void) | undefined;
  #begun: Begun = { pid: 0, bornAt: "" };
  /** It was seen alive on this machine. */
  #isHere = false;
  #reading: Promise<void> | undefined;
  #failures = 0;
  #isExitAwaited = true;
  /** The client did not say that what was killed has ended. */
  #isSilent = false;
  /** Nothing has ended it yet. */
  #isOpen = true;
  #isReleased = false;

  constructor(client: TerminalClient, place: TerminalPlace, script: CommandScript) {
    this.#client = client;
    this.#place = place;
    this.#script = script;
    const told = client.terminalExit(place).catch(() => {
      this.#isExitAwaited = false;
      return this.#lost.promise;
    });
    this.#exit = Promise.race([told, this.#lost.promise]);
    this.ended = this.#exit.then((status) => this.#finish(status));
  }

  /** 0 for a process that is not on this machine: another one may have its number here. */
  get pid(): number {
    return this.#isHere ? this.#begun.pid : 0;
  }

  /** False when the command can't begin any more, or the signal fires first. */
  async hasBegun(signal: AbortSignal): Promise<boolean> {
    let isOver = false;
    void this.#exit.then(() => {
      isOver = true;
    });
    for (let pauseMs = 5; ; pauseMs = Math.min(100, pauseMs * 1.5)) {
      // The order counts: what has ended by now has left its mark before.
      const isLast = isOver || signal.aborted;
      if (this.noteBegun()) return true;
      if (isLast) return false;
      await Promise.race([sleep(pauseMs, signal).catch(() => {}), this.#exit]);
    }
  }

  noteBegun(): boolean {
    if (this.#begun.pid > 0) return true;
    const begun = this.#script.begun();
    if (!begun) return false;
    this.#begun = begun;
    this.#isHere = isAlive(begun);
    return true;
  }

  listen(onText: (text: string) => void): void {
    this.#onText = onText;
    this.#hear("");
    void this.#look();
  }

  async catchUp(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await Promise.race([this.#reading, sleep(LOOK.patienceMs, this.#over.signal).catch(() => {})]);
  }

  async kill(): Promise<void> {
    if (this.#over.signal.aborted) {
      // What it has left in the background.
      if (this.#isHere) await endTree(this.pid);
      return;
    }
    // Many clients end the process alone. Who its children are can only be seen as long as it is there.
    const branch = this.#endBranch();
    const asked = this.#client.killTerminal(this.#place).catch(() => {});
    await Promise.all([branch, this.#waitFor(asked, KILL.askedMs)]);
    await this.#waitFor(this.#exit, KILL.toldMs);
    if (this.#isOpen) this.#isSilent = true;
    this.#lost.resolve({ signal: "SIGKILL" });
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#lost.resolve({ signal: "SIGKILL" });
    this.#removeScript();
    this.#client.releaseTerminal(this.#place).catch(() => {});
  }

  /** Its mark goes with it. */
  #removeScript(): void {
    this.noteBegun();
    this.#script.remove();
  }

  async #waitFor(work: Promise<unknown>, ms: number): Promise<void> {
    await Promise.race([work, sleep(ms, this.#over.signal).catch(() => {})]);
  }

  async #finish(status: TerminalExitStatus): Promise<number> {
    this.#isOpen = false;
    this.#removeScript();
    if (!this.#isSilent) await this.#readRest();
    this.#over.abort();
    this.release();
    return exitCodeOf(status);
  }

  /** The output as it comes; also the end, for clients that tell it here alone. */
  async #look(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      const begin = performance.now();
      await this.catchUp();
      if (this.#failures >= MOST_FAILURES && !this.#isExitAwaited) return this.#giveUp();
      // A large output takes its time: most of it is not spent on reading it.
      const pauseMs = Math.max(LOOK.everyMs, 10 * (performance.now() - begin));
      await sleep(pauseMs, signal).catch(() => {});
    }
  }

  async #read(): Promise<void> {
    try {
      const { output, truncated, exitStatus } = await this.#client.terminalOutput(this.#place);
      this.#failures = 0;
      const text = this.#text.next(output, truncated);
      if (!this.#over.signal.aborted) this.#hear(text);
      if (exitStatus && hasEnded(exitStatus)) this.#lost.resolve(exitStatus);
    } catch {
      this.#failures += 1;
    }
  }

  /** Some clients tell the end before they have read all that was written. */
  async #readRest(): Promise<void> {
    for (let waitedMs = 0; waitedMs < LOOK.mostRestMs; waitedMs += LOOK.quietMs) {
      const before = this.#text.length;
      const failures = this.#failures;
      await this.catchUp();
      if (this.#failures > failures) return;
      if (waitedMs > 0 && this.#text.length === before) return;
      await Bun.sleep(LOOK.quietMs);
    }
  }

  async #giveUp(): Promise<void> {
    await this.#endBranch();
    this.#hear("\n[the editor's terminal was lost]\n");
    this.#lost.resolve({ signal: "SIGKILL" });
  }

  async #endBranch(): Promise<void> {
    if (this.#isHere && isAlive(this.#begun)) await endBranch(this.pid);
  }

  /** Nothing is lost of what comes before somebody listens. */
  #hear(text: string): void {
    this.#unheard += text;
    if (!this.#onText || this.#unheard === "") return;
    this.#onText(this.#unheard);
    this.#unheard = "";
  }
}

/** Some clients have a status that says nothing while the command runs. */
function hasEnded({ exitCode, signal }: TerminalExitStatus): boolean {
  return typeof exitCode === "number" || typeof signal === "string";
}

function exitCodeOf({ exitCode, signal }: TerminalExitStatus): number {
  if (typeof exitCode === "number") return exitCode;
  const known = Object.entries(constants.signals).find(
    ([name]) => name === signal || name === `SIG${signal}`,
  );
  return known === undefined ? 1 : 128 + known[1];
}
